// beside.js: 数えた値を、コードの行の横に置く (狭ければ、行の下)。コードを書き換えると消える
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import { make } from "./dom.js";

const put = StateEffect.define();
export const beside = StateField.define({
	create: () => Decoration.none,
	update(now, { effects, docChanged }) {
		const given = effects.find((effect) => effect.is(put));
		return given ? given.value : docChanged ? Decoration.none : now;
	},
	provide: (field) => EditorView.decorations.from(field),
});

class Notes extends WidgetType {
	constructor(notes) {
		super();
		this.notes = notes;
	}
	toDOM() {
		const note = ({ text, bad }) => make("span", { className: bad ? "beside__bad" : "", textContent: text });
		return make("span", { className: "beside" }, ...this.notes.map(note));
	}
}

// notes: [{to: 行の終わりの位置, notes: [{text, bad}]}]。行の順
export const putBeside = (all) => {
	const widget = ({ to, notes }) => Decoration.widget({ widget: new Notes(notes), side: 1 }).range(to);
	return put.of(Decoration.set(all.map(widget)));
};
