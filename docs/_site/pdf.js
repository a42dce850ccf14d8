// 作ったページを、紙の 1 冊につなげる (pdf.py がブラウザの中で動かす)。
// pages は [{name, html}]
({ edition, pages }) => {
	const make = (tag, kind, ...inside) => {
		const made = document.createElement(tag);
		if (kind) made.className = kind;
		made.append(...inside);
		return made;
	};
	const link = (id, ...inside) => Object.assign(make("a", "", ...inside), { href: `#${id}` });
	const text = (heading) => heading.textContent.trim();
	const title = text(document.querySelector(".md-header__topic"));
	const articles = pages.map(({ name, html }) => {
		const article = new DOMParser().parseFromString(html, "text/html").querySelector("article");
		article.id = name;
		// 紙の上では働かないもの。実行結果は、ページの「実行」にもある
		const useless = "script, button, .headerlink, .md-content__button, .listing > details, .listing__repo";
		article.querySelectorAll(useless).forEach((e) => e.remove());
		article.querySelectorAll("[id]:not(svg *)").forEach((e) => (e.id = `${name}:${e.id}`));
		return article;
	});

	// リンク: ページの中と、他のページへのものだけを残す
	const names = new Set(pages.map(({ name }) => name));
	for (const article of articles)
		for (const a of article.querySelectorAll("a[href]")) {
			const [file, id] = a.getAttribute("href").split("#");
			const name = file ? file.replace(/\.html$/, "") : article.id;
			if (names.has(name)) a.setAttribute("href", `#${name}${id ? `:${id}` : ""}`);
			else if (!/^https?:/.test(file)) a.replaceWith(...a.childNodes);
		}

	// タブは並べ、畳んだものは開く。課題の答えは巻末に移す
	const answers = make("article", "md-typeset", make("h1", "", "答え"));
	answers.id = "paper:answers";
	for (const article of articles) {
		for (const set of article.querySelectorAll(".tabbed-set")) {
			const labels = [...set.querySelectorAll(":scope > .tabbed-labels > label")];
			const blocks = [...set.querySelectorAll(":scope > .tabbed-content > .tabbed-block")];
			const opened = (block, k) =>
				make("section", "paper__tab", make("p", "paper__label", text(labels[k])), ...block.childNodes);
			set.replaceWith(...blocks.map(opened));
		}
		let chapter,
			heading = "";
		for (const e of article.querySelectorAll("h2, h3, details")) {
			if (e.tagName !== "DETAILS") {
				heading = text(e);
				continue;
			}
			const label = e.querySelector("summary");
			label.replaceWith(make("p", "paper__label", ...label.childNodes));
			const opened = make("section", "paper__opened", ...e.childNodes),
				asked = e.closest(".question")?.querySelector(".admonition-title");
			if (!asked && !e.matches('[id$=":exercises"] ~ details, [id$=":exercises"] ~ * details')) {
				e.replaceWith(opened);
				continue;
			}
			if (e.previousElementSibling?.classList.contains("paper__answer")) {
				// 同じ課題の 2 つ目
				chapter.lastElementChild.append(opened);
				e.remove();
				continue;
			}
			const item = e.closest("li"),
				order = asked ? text(asked) : item ? [...item.parentElement.children].indexOf(item) + 1 : "";
			if (!chapter) {
				chapter = make("section", "", make("h2", "", link(article.id, text(article.querySelector("h1")))));
				answers.append(chapter);
			}
			opened.firstElementChild.replaceWith(make("h3", "", `${heading} ${order}`.trim()));
			opened.id = `answer:${article.id}:${chapter.children.length}`;
			chapter.append(opened);
			e.replaceWith(make("p", "paper__answer", link(opened.id, "答えは巻末")));
		}
	}
	const book = [...articles, ...(answers.children.length > 1 ? [answers] : [])];
	// 行ごとの囲みは、画面の幅で折るためのもの。紙では要らず、残すと PDF が重い
	book.forEach((article) => article.querySelectorAll("span.row").forEach((e) => e.replaceWith(...e.childNodes)));
	articles[0].querySelector("h1").textContent = "はじめに";

	const cover = make(
		"header",
		"paper__cover md-typeset",
		make("p", "paper__title", title),
		make("p", "paper__edition", edition),
		make("p", "", document.querySelector("meta[name=description]").content),
		make("p", "paper__rights", text(document.querySelector(".md-copyright__highlight"))),
	);

	// ページの上の柱は、節の題。名前の付いた紙を、節ごとに 1 種類作る
	const papers = book.map((article, k) => {
		article.style.page = `paper-${k}`;
		return `@page paper-${k} { @top-right { content: ${JSON.stringify(text(article.querySelector("h1")))} } }`;
	});
	document.head.append(make("style", "", papers.join("\n")));
	document.title = title;
	document.body.replaceChildren(make("main", "paper", cover, ...book));
	document.body.dataset.mdColorScheme = "default";
};
