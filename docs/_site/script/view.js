// view.js: コードを書き換える欄。CodeMirror のうち、使うものだけ。
// 色は、ページのコードと同じ名前の印 (Pygments) で付ける
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";
import { beside, putBeside } from "./beside.js";
import { button, make } from "./dom.js";

const COLORS = tagHighlighter([
	{ tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.operatorKeyword, tags.definitionKeyword], class: "k" },
	{ tag: [tags.typeName, tags.standard(tags.typeName)], class: "kt" },
	{ tag: [tags.comment, tags.lineComment, tags.blockComment], class: "c1" },
	{ tag: [tags.number, tags.bool], class: "mi" },
	{ tag: [tags.string, tags.character], class: "s" },
	{ tag: [tags.processingInstruction, tags.meta], class: "cp" },
	{ tag: tags.function(tags.variableName), class: "nf" },
	{ tag: tags.operator, class: "o" },
]);
const PHRASES = {
	Diagnostics: "指摘",
	"No diagnostics": "指摘はない",
	close: "閉じる",
	"Control character": "制御文字",
};
const KEYS = ["{", "}", "[", "]", "(", ")", ";", "*", "&", "<", ">", "=", "字下げ"]; // 電話の、打ちにくい記号
const numbers = (first) => lineNumbers({ formatNumber: (n) => String(n + first - 1) });

// text を書き換える欄を parent に置く。changed() は、書き換えるたびに呼ばれる。run() は Ctrl+Enter
export class Field {
	constructor({ parent, text, label, describedBy, changed, run }) {
		this.first = 1;
		this.gutter = new Compartment();
		this.view = new EditorView({
			parent,
			state: EditorState.create({
				doc: text,
				extensions: [
					this.gutter.of(numbers(this.first)),
					lintGutter(),
					beside,
					history(),
					drawSelection(),
					indentOnInput(),
					bracketMatching(),
					cpp(),
					indentUnit.of("    "),
					syntaxHighlighting(COLORS),
					EditorState.phrases.of(PHRASES),
					EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": describedBy }),
					EditorView.lineWrapping,
					EditorView.updateListener.of((update) => update.docChanged && changed()),
					keymap.of([
						{ key: "Mod-Enter", run: () => (run(), true) },
						indentWithTab,
						...defaultKeymap,
						...historyKeymap,
						...lintKeymap,
					]),
				],
			}),
		});
		parent.prepend(this.keys());
	}
	// 指で使う画面だけに見せる (book.css)。押しても、画面のキーボードは閉じない
	keys() {
		// 画面のキーボードが出たら、その上に収める
		document.querySelector("meta[name=viewport]").content =
			"width=device-width,initial-scale=1,interactive-widget=resizes-content";
		const put = (key) => {
			this.view.dispatch(this.view.state.replaceSelection(key.length > 1 ? "    " : key), { scrollIntoView: true });
			this.view.focus();
		};
		const onpointerdown = (e) => e.preventDefault(),
			about = { className: "edit__touch", role: "toolbar", ariaLabel: "記号", onpointerdown };
		return make("div", about, ...KEYS.map((key) => button(key, () => put(key))));
	}
	get text() {
		return this.view.state.doc.toString();
	}
	set text(insert) {
		this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert } });
	}
	// 初めの行の番号 (ファイルの中での)
	number(first) {
		if (first === this.first) return;
		this.first = first;
		this.view.dispatch({ effects: this.gutter.reconfigure(numbers(first)) });
	}
	holds(line) {
		return this.first <= line && line < this.first + this.view.state.doc.lines;
	}
	line(number) {
		return this.view.state.doc.line(number - this.first + 1);
	}
	// 指摘 {line, text, severity} を、その行に付ける
	show(notes) {
		const marked = ({ line, text, severity }) => {
			const { from, to, text: code } = this.line(line);
			return { from: from + code.search(/\S|$/), to, severity, message: text };
		};
		const held = notes.filter(({ line }) => this.holds(line));
		this.view.dispatch(setDiagnostics(this.view.state, held.map(marked)));
	}
	// 行の横に置く {行の番号: [{text, bad}]}
	beside(notes) {
		const held = Object.keys(notes).filter((line) => this.holds(line));
		this.view.dispatch({ effects: putBeside(held.map((line) => ({ to: this.line(line).to, notes: notes[line] }))) });
	}
	go(line) {
		for (let d = this.view.dom.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
		const { from, text } = this.line(line);
		this.view.dispatch({
			selection: { anchor: from + text.search(/\S|$/) },
			effects: EditorView.scrollIntoView(from, { y: "center" }),
		});
		this.view.focus();
		this.view.dom.scrollIntoView({ block: "nearest" });
	}
}
