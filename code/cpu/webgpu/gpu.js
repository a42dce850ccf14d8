// gpu.js: ブラウザから GPU を開く。
const { Unsaid } = require("./refuse.js");
const WANTED = ["subgroups", "timestamp-query"],
	LIMITS = [
		"maxComputeInvocationsPerWorkgroup",
		"maxComputeWorkgroupSizeX",
		"maxComputeWorkgroupSizeY",
		"maxComputeWorkgroupStorageSize",
		"maxStorageBufferBindingSize",
		"maxBufferSize",
	];
// {device, width: ワープの幅 (決まっていなければ 0), name}
async function open() {
	const adapter = await globalThis.navigator?.gpu?.requestAdapter({ powerPreference: "high-performance" });
	if (!adapter) throw new Unsaid("none");
	const { info, limits, features } = adapter,
		device = await adapter.requestDevice({
			requiredFeatures: WANTED.filter((name) => features.has(name)),
			requiredLimits: Object.fromEntries(LIMITS.map((name) => [name, limits[name]])),
		}),
		same = device.features.has("subgroups") && info.subgroupMinSize === info.subgroupMaxSize;
	return {
		device,
		width: same ? info.subgroupMinSize : 0,
		name: info.description || [info.vendor, info.architecture].filter(Boolean).join(" ") || "GPU",
	};
}
function pipeline(device, code) {
	const module = device.createShaderModule({ code });
	return device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "main" } });
}
module.exports = { open, pipeline };
