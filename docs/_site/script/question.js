// question.js: 問いに答える。正解と説明は、ページに畳んである。答えたことは、このブラウザだけが覚える
import { button, make, save } from "./dom.js";
import { everything, keep, merge, recall } from "./store.js";

const DAY = 86400e3,
	AFTER = [1, 3, 7]; // 誤った問いを、また出すまでの日数
const known = () => recall("questions") ?? {};
const again = ({ due }) => due <= Date.now();
// 今の答え: 全角の数字も、桁の区切りも、読む
const number = (text) => (text.trim() ? Number(text.normalize("NFKC").replace(/[,、\s]/g, "")) : Number.NaN);
const equal = (a, b) => Math.abs(a - b) <= (Number.isInteger(b) ? 0 : Math.abs(b) * 0.005);

// 答えを覚える。missed: この回に誤ったか。step: 誤った問いを、正しく答え直した回数
function remember(id, right, title) {
	const before = known()[id] ?? { step: AFTER.length },
		now = { ...before, title, at: Date.now() };
	if (!right) Object.assign(now, { missed: true, right: false, due: Date.now() + AFTER[0] * DAY });
	else if (!before.right || again(before)) {
		const step = before.missed ? 0 : Math.min(before.step + 1, AFTER.length);
		Object.assign(now, { right: true, missed: false, step, due: Date.now() + AFTER[step] * DAY || undefined });
	}
	keep("questions", { ...known(), [id]: now });
	return now;
}

function ask(said) {
	const box = said.parentElement,
		{ question: id, key, wrong } = said.dataset,
		title = box.querySelector(".admonition-title").textContent,
		answer = box.querySelector("details"),
		whys = [...answer.querySelectorAll("ul > li")],
		list = box.querySelector(":scope > ol"),
		status = make("p", { className: "question__status", role: "status" });
	let misses = 0;
	answer.hidden = true;
	// 選択肢を押すと、用語集に移らずに、選ぶ
	for (const term of list?.querySelectorAll("a.term") ?? []) term.replaceWith(...term.childNodes);
	const choices = [...(list?.children ?? [])].map((li, value) =>
		make("label", {}, make("input", { type: "radio", name: id, value }), make("span", {}, ...li.childNodes)),
	);
	const field = make("input", { inputMode: "decimal", autocomplete: "off", ariaLabel: `${title}: 数` });
	const chosen = () => (list ? Number(form.querySelector(":checked")?.value ?? Number.NaN) : number(field.value));
	// 選んだものの説明: 正しい選択肢には、ない
	const why = (given) =>
		list ? whys[given - (given > key)] : whys[wrong.split(" ").findIndex((text) => equal(given, Number(text)))];
	const tell = (right, given) => {
		if (right) misses = 0;
		status.className = `question__status question__status--${right ? "right" : "wrong"}`;
		const reason = right ? answer.querySelector("summary ~ p") : ++misses > 1 && why(given);
		status.replaceChildren(
			right ? "✅ 正しい。" : misses > 1 ? "❌ 違う。" : "❌ 違う。もう1度考える",
			...(reason ? [...reason.cloneNode(true).childNodes].slice(1) : []), // 初めは、選んだもの
		);
		answer.hidden = !right && misses < 2;
	};
	const onsubmit = (event) => {
		event.preventDefault();
		const given = chosen();
		if (Number.isNaN(given)) return status.replaceChildren(list ? "1つ選ぶ" : "数を書く");
		const right = list ? given === Number(key) : equal(given, Number(key));
		tell(right, given);
		const { due } = remember(id, right, title);
		if (right && due) status.append(`${Math.ceil((due - Date.now()) / DAY)}日後に、もう1度問う。`);
	};
	const radios = make("div", { role: "radiogroup", ariaLabel: title }, ...choices),
		given = list ? radios : make("label", {}, "答え ", field),
		press = make("button", { textContent: "答える" }),
		form = make("form", { className: "question__form", onsubmit }, given, press, status);
	if (list) list.replaceWith(form);
	else answer.before(form);
	const before = known()[id];
	if (before?.right && !again(before)) {
		status.textContent = "✓ 正しく答えた問いである";
		answer.hidden = false;
	}
}

// ---------------------------------------------------------------- 並べる
// check(課題のボタン, 行): 並べたものを課題の欄に入れて、確かめる
function arrange(said, check) {
	const box = said.parentElement,
		{ blocks: name } = said.dataset,
		open = document.querySelector(`[data-exercise="${name}"]`),
		list = box.querySelector(":scope > ol"),
		answer = make("ol", { className: "blocks blocks--answer", ariaLabel: "並べた行" }),
		rest = make("ul", { className: "blocks", ariaLabel: "まだ使っていない行" });
	for (const { firstElementChild: code } of [...list.children]) {
		const li = make("li", {}),
			shift = (label, text, move) => {
				const b = button(text, () => (move(), b.focus()));
				return Object.assign(b, { ariaLabel: `${code.textContent} を${label}`, className: "blocks__shift" });
			},
			up = shift("上へ", "↑", () => li.previousElementSibling?.before(li)),
			down = shift("下へ", "↓", () => li.nextElementSibling?.after(li)),
			use = button("", () => ((li.parentElement === rest ? answer : rest).append(li), use.focus()));
		use.append(code);
		li.append(use, up, down);
		rest.append(li);
	}
	const called = (textContent) => make("p", { className: "blocks__name", textContent });
	list.replaceWith(called("並べた行 (押すと外れる)"), answer, called("まだ使っていない行 (押すと加わる)"), rest);
	const go = button("課題に入れて確かめる", () => {
		const lines = [...answer.children].map((li) => li.querySelector("code").textContent);
		let depth = 0;
		const indented = (line) => {
			depth -= line.startsWith("}");
			const text = "    ".repeat(Math.max(depth, 0)) + line;
			depth += line.endsWith("{");
			return text;
		};
		check(open, lines.map(indented));
	});
	go.className = "run__open";
	if (open) rest.after(go);
}

// ---------------------------------------------------------------- 節の一覧
function progress(list) {
	const told = known();
	for (const item of list.querySelectorAll("[data-questions]")) {
		const section = item.querySelector("a").getAttribute("href").replace(".html", ""),
			right = Object.entries(told).filter(([id, { right }]) => right && id.startsWith(`${section}-`)).length;
		if (right)
			item.append(make("small", { className: "progress", textContent: `問い ${right}/${item.dataset.questions}` }));
	}
	const link = ([id, { title }]) => {
		const [section] = id.split("-");
		return make("li", {}, make("a", { href: `${section}.html#${id}`, textContent: `${section} ${title}` }));
	};
	const links = Object.entries(told)
		.filter(([, one]) => again(one))
		.map(link);
	const file = make("input", { type: "file", accept: ".json", hidden: true, ariaLabel: "学びの記録" }),
		status = make("p", { role: "status" });
	file.onchange = async () => {
		const left = merge(await file.files[0].text());
		status.textContent =
			left === undefined
				? "学びの記録ではない: 「学びの記録を保存する」で作ったファイルを選ぶ"
				: `読み込んだ。${left ? `ここにある書きかけ ${left} 個は、そのまま残した。` : ""}ページを開き直すと、見える`;
		file.value = "";
	};
	const put = button("学びの記録を保存する", () => save("cuda-sum-record.json", JSON.stringify(everything(), null, 1))),
		take = button("学びの記録を読み込む", () => file.click()),
		asked = make("div", {}, make("p", {}, "もう1度答える問い"), make("ul", { className: "due" }, ...links)),
		kept = make("div", { className: "run" }, put, take, file, status);
	list.nextElementSibling.after(...(links.length ? asked.childNodes : []), kept);
}

export function questions(check) {
	for (const said of document.querySelectorAll("[data-question]")) ask(said);
	for (const said of document.querySelectorAll("[data-blocks]")) arrange(said, check);
	for (const list of document.querySelectorAll(".sections")) progress(list);
}
