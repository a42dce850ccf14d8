// オフライン版だけが読み込む。ファイルのまま開いたページは Worker を作れないので、隠した iframe を Worker として使う。
// Material の検索が頼るのは、postMessage、message の知らせ、importScripts と、IFrameWorker という名前だけである。
if (location.protocol === "file:") {
	window.BrowserWorker = window.Worker; // 中身を文字で渡すなら (blob:)、本物の Worker が作れる (run/run.js)
	window.Worker = window.IFrameWorker = class extends EventTarget {
		constructor(url) {
			super();
			const frame = document.createElement("iframe");
			frame.hidden = true;
			frame.srcdoc = "<!doctype html>";
			this.inside = new Promise((done) => {
				frame.onload = () => done(frame.contentWindow);
			}).then(async (inside) => {
				const load = (src) =>
					new Promise((onload, onerror) =>
						inside.document.head.append(
							Object.assign(inside.document.createElement("script"), { src, onload, onerror }),
						),
					);
				inside.importScripts = (...urls) =>
					urls.reduce((before, next) => before.then(() => load(next)), Promise.resolve());
				inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
				await load(new URL(url, location));
				return inside;
			});
			document.body.append(frame);
		}
		postMessage(data) {
			this.inside.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
		}
	};
}
