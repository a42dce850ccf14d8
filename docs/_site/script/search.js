// 検索の言葉を、本文の切れ目 (mkdocs.yml の separator) に合わせて直してから、検索の Worker に渡す。
// ・「使い方」、片仮名の前の「何」、threadIdx.x の .x、cub:: などは落とし、<<< >>> は「実行構成」とする
// ・空白、記号、漢字や片仮名に付いた助詞、文字の種類の変わる所で切る。数のほかで、いちばん長い言葉には + を付ける
// ・頭に * を付けて、長い言葉の途中も見つける。打った通りの言葉には ^9 で重みを付けて、前に並べる
//   Material の Worker は、索引に短い言葉があると、漢字をそこで切って残りを捨てる (演算子 → 演算)。\ をはさむと切らない
// ・平仮名は片仮名でも探す。送り仮名、複数形の s、終わりの長音、問いの終わり (ですか) は落とし、用語は先に選ぶ
// 打った通りの用語か、困ったときのページに書いてある文か、問いに入っているまれな用語があれば、その所を先に並べる。
// それがなく、全部の言葉を持つ所もなければ、字の並びの近い用語で探し直す。
// 誤りの文なら、困ったときのページで、まれな言葉をいちばん多く持つ所を、それもなければ「エラー」を探す。
// … で終わる用語は、その前と同じに始まる名前のどれもである。英語や片仮名で、どこにもない言葉は cuda… と同じに扱う。
{
	const shift = (text, found, k) => text.replace(found, (c) => String.fromCharCode(c.charCodeAt(0) + k));
	const katakana = (text) => shift(text, /[ぁ-ん]/g, 0x60);
	// 綴りと、打ち消しの違いを除く (合いません → 合ナイ)。骨は、漢字のある用語だけで、平仮名も除く (ブロック間で同期を)
	const flat = (text) =>
		katakana(
			text
				.normalize("NFKC")
				.toLowerCase()
				.replace(/[\s_ー]|(?<=\w)-|じゃ(?=な)/g, ""),
		).replace(/[ァ-ヴ]?(ナイ|マセン)/g, "ナイ");
	const bone = (text) => (/[一-龠]/.test(text) ? text.normalize("NFKC").toLowerCase() : "").replace(/[ぁ-ん\s]/g, "");

	const ENDING = /(?<=[一-龠々])[ぁ-ん]+$|(?<=[ァ-ヴ]{3})ー$|(?<=[a-z]{3}[^su])s$/,
		JOINED = /(?<=[ぁ-ん])[のはがをにでと]$/,
		CUT = /[^\p{L}\p{N}_.]+|(?<=[^ぁ-ん])(?:とは|って|[のはがをにでと])(?=[^ぁ-ん]|$|いつ|いくつ|なぜ|ど[うこれ])/u,
		IDLE = /^(使い方|書き方|やり方|取り方|方法|意味|理由|なぜ|なんで|どう(する)?|いつ)$/,
		FILLER = /^(how|wh\w+|is|are|does|the|an?|to|of|in|on|for|with|my|it|can)$/i,
		WRONG =
			/err(or|_)|warn|fatal|fail|in(valid|suff|comp)|cannot|n['’]t\b|\b(not?|lost|already) |un(able|def|exp|rec|sup)/i,
		BROKEN =
			/denied|abort|kill|==|duplicate |mismatch|exce|exhaust|(code|errno)\W{0,3}\d|destroy|returned \d|timed|fault|xid/i;
	const split = (text) =>
		text
			.normalize("NFKC")
			.replace(/(の|ん)?(です)?か[?？]*$|(い|く|する)?には$/, "")
			.replace(/(?<=\w)\.[xyz](?!\w)|\b[a-z_]+::(?=\w*[A-Z_])/g, "")
			.replace(/<<<.*?(>>>|$)|何(?=[ァ-ヴー])/g, (found) => (found === "何" ? "" : " 実行構成 "))
			.split(CUT)
			.filter((word, k, all) => /[^_.]/.test(word) && !(all.length > 1 && (IDLE.test(word) || FILLER.test(word))));
	const fit = (query) => {
		if (query.endsWith("…") && terms.some(([term]) => term === query)) return query;
		// 英語の誤りの文なら、先頭の名前、数、パス、ヘッダ、引用符や括弧の中を除いた、全部の言葉を持つ所
		const noise =
				/^\S+:(?=\s)|(?<!\w)["'`‘].*?["'’]|[([](?!cu).*?[)\]]|\S*(\/|\.c?u?h\b)\S*|(?<![\w.])\d[\d.,]*(?!\w)/g,
			fixed = split(query.replace(noise, " ")),
			sentence = fixed.length > 2 && /^[ -~‘’]+$/.test(query),
			words = sentence ? fixed.filter((word) => word[2]) : split(query),
			wrong = WRONG.test(query) || BROKEN.test(query);
		const page = terms.find(([term]) => term === "エラー")?.[1].split("#")[0] ?? "";
		// 用語か、漢字や片仮名の多い言葉
		const known = (word) => !wrong && terms.some(([term]) => term.toLowerCase() === word.toLowerCase()),
			weight = (word) => (known(word) ? 99 : Math.min(word.length, word.replace(/[ぁ-ん]/g, "").length + 2));
		const longest = words.reduce((a, b) => (weight(b) > weight(a) && /\D/.test(b) ? b : a), "");
		const whole = (part) => part.replace(/(?<=[一-龠々])(?=[一-龠々])/g, "\\");
		const look = (word) => {
			if (/^[ぁ-ん][ぁ-んー]+$/.test(word)) return [katakana(word), word].map((stem) => ({ stem, part: stem }));
			const parts = word.match(/[A-Za-z_]\w*|\d[\w.]*|[ァ-ヴー]+|[一-龠々]+[ぁ-ん]*/g) ?? [word];
			const need = sentence || (word === longest && (parts.length > 1 || words.length > 1));
			const stem = (part, k) => part.replace(parts[k + 1] ? JOINED : ENDING, "");
			return parts.map((part, k) => ({ part, need, stem: stem(part, k) }));
		};
		const has = ([text], { stem }) => text.includes(stem.toLowerCase()),
			often = (p) => sections.filter((s) => has(s, p)).length;
		const parts = words.flatMap(look),
			needed = parts.filter(({ need }) => need);
		const write = (p) => {
			const stem = often(p) ? whole(p.stem) : p.stem;
			return `${p.need ? "+" : ""}${stem.length > 1 ? "*" : ""}${stem}* ${whole(p.part)}^9`;
		};
		const strict = parts.map(write).join(" ");
		const said = [query.normalize("NFKC"), words.join(" ")].map((text) => text.toLowerCase()),
			same = terms.filter(([term]) => said.includes(term.toLowerCase())),
			exact = (same[0] ? same : terms.filter(([, , own]) => own === flat(query))).map(([, at]) => at),
			topical = !exact[0] && (needed[0] || words.length > 1),
			lead = message(query) || (topical && topic(query, parts, often, wrong ? page : ""));
		const first = (place) => `tags:§${sections.findIndex(([, at]) => at === place)}^99`;
		if (exact[0]) return [...exact.map(first), ...parts.map((p) => write({ ...p, need: false }))].join(" ");
		if (lead) return [first(lead), ...parts.map(({ stem }) => `text:*${whole(stem)}*`)].join(" ");
		if (sections.some((s) => (needed[0] ? needed.every((p) => has(s, p)) : parts.some((p) => has(s, p)))))
			return strict;

		const [score, term] = near(query);
		if (score >= 0.5 && !wrong && term !== query) return fit(term);
		const rare = (p) => ({ ...p, need: true, rare: Math.log(sections.length / (often(p) || 0.5)) }),
			both = parts.map((p) => rare({ ...p, stem: p.stem.replace(ENDING, "") })),
			sum = (chosen) => chosen.reduce((all, { rare }) => all + rare, 0),
			shared = sections.filter(([, at]) => !wrong || at.startsWith(page)).map((s) => both.filter((p) => has(s, p)));
		const best = shared.reduce((a, b) => (sum(b) > sum(a) ? b : a));
		if (sum(best) >= (wrong ? 0.5 : 0.35) * sum(both)) return best.map(write).join(" ");
		return wrong ? fit("エラー") : /^([ -~]*[a-z]{3}[ -~]*|[ァ-ヴー]{3,})$/i.test(query) ? fit("cuda…") : strict;
	};

	// 問いに入っている用語の所のうち、まれな用語と、まれな言葉をいちばん多く持つ所
	const topic = (query, parts, often, page) => {
		const first = terms[0][1].split("#")[0]; // 扉の用語は広いので、半分に数える
		const text = query.normalize("NFKC").toLowerCase();
		const rare = (stem) => Math.log(sections.length / (often({ stem }) || 0.5));
		const inside = terms.filter((term) => term[1].startsWith(page) && contains(text, term));
		const words = parts.map(({ stem }) => [stem.toLowerCase(), rare(stem)]);
		const score = ([term, at]) => {
			const [told] = sections.find(([, place]) => place === at);
			return (
				rare(term) * (at.startsWith(first) ? 0.5 : 1) +
				0.3 * words.reduce((all, [w, r]) => all + (told.includes(w) ? r : 0), 0)
			);
		};
		return inside.map((term) => [score(term), term[1]]).reduce((a, b) => (b[0] > a[0] ? b : a), [0])[1];
	};
	// 英語は、どの語も (順番は問わない)。片仮名は、その前に片仮名が続かないとき。… なら、その前で始まる。打ちかけの言葉も
	const found = (text, term, before = "", after = "") =>
		new RegExp(before + term.replace(/[ -/:-@[-`{-~]/g, "\\$&") + after, "i").test(text);
	const contains = (text, [term, , own]) => {
		if (/[^a]…$/.test(term)) return text.startsWith(term.slice(0, -1).toLowerCase());
		if (/\S \S/.test(text) && own.startsWith(flat(text))) return true;
		const words = /^[ -~]*$/.test(term) && term.split(" ");
		if (words) return term.length > 1 && words.every((word) => found(text, word, "(?<![\\w./=])", "s?(?!\\w)"));
		const edge = /^[ァ-ヴ]/.test(term) ? "(?<![ァ-ヴー])" : "";
		return (
			(term.length > 2 && (found(text, term, edge) || (/ナイ/.test(own) && found(flat(text), own)))) ||
			(bone(term).length > 2 && found(bone(text), bone(term), edge))
		);
	};

	// 困ったときのページに書いてある文のうち、全部が入っているか、一部がそのまま打たれた、いちばん長いものの所
	const fold = (text) => {
		const pieces = text
			.normalize("NFKC")
			.toLowerCase()
			.replace(/["'`‘“].*?["'`’”]/g, "…")
			.replace(/\d+/g, "0")
			.split("…");
		return pieces.map((piece) => piece.replace(/[^\p{L}\p{N}]+/gu, " ").trim()).filter(Boolean);
	};
	const message = (query) => {
		const asked = fold(query).join(" "),
			bare = fold(query.replace(/["'`‘’“”]/g, " ")).join(" ");
		const japanese = /[ぁ-ん]/.test(asked) ? 4 : 0;
		const same = ([pieces]) => {
			const all = pieces.join(" ");
			if (pieces.every((piece) => ` ${asked} | ${bare} `.includes(` ${piece} `))) return all.length + japanese;
			if (asked.length > 0.5 * all.length && ` ${all} `.includes(` ${asked} `)) return asked.length;
			// 日本語の文は、続いた 7 字が同じで、それが問いの 3 割を超えればよい。「検査:」なら、どれでもよい
			let run = 0;
			for (let k = 0; japanese && k + run < asked.length; k++)
				while (all.includes(asked.slice(k, k + run + 1)) && k + run < asked.length) run++;
			return run > 6 && run > 0.3 * asked.length ? run + 2 : /^検査 /.test(asked) && /^検査 /.test(all) ? 9 : 0;
		};
		const [score, at] = messages.map((m) => [same(m), m[1]]).reduce((a, b) => (b[0] > a[0] ? b : a), [0]);
		return score > 8 ? at : undefined;
	};

	// 用語がそのまま入っているか、字を 2 つずつに切って、同じものの割合が大きい
	const pairs = (text) =>
		[...shift(flat(text), /[ァィゥェォッャュョ]/g, 1)].map((c, k, all) => all[k - 1] + c).slice(1);
	const near = (query) => {
		const asked = pairs(query);
		const alike = ([term]) => {
			const own = pairs(term);
			if (term.endsWith("…")) return query.startsWith(term.slice(0, -1)) ? 0.5 + term.length / 30 : 0;
			const whole = new RegExp(`(?<!\\w)${term.replace(/\W/g, "\\$&")}(?!\\w)`, "i");
			if (term.length > 1 + /[ -~ァ-ヴ]/.test(term) && whole.test(query)) return 0.6 + term.length / 1e3;
			return (2 * own.filter((pair) => asked.includes(pair)).length) / (own.length + asked.length || 1);
		};
		return terms.map((term) => [alike(term), ...term]).reduce((a, b) => (b[0] > a[0] ? b : a));
	};

	// Material の Worker への頼みごとは、初めが索引、後は言葉である。言葉を直す口は、Material にない
	// (separator は索引も切り、欄の値を書き換えると、読者の字が変わる) ので、番号を見て直す (tests/test_search.py)
	const QUERY = 2;
	let [terms, sections, messages] = [[], [], []];
	const send = Worker.prototype.postMessage;
	Worker.prototype.postMessage = function (request) {
		if (request?.data?.docs) {
			// 見出しの id も、英語の呼び方である。用語集のタグは、この本にない言葉なので、打った通りのときだけ使う
			const names = ({ tags = [], location }) => [...tags, ...(location.match(/(?<=^[^g].*#)[a-z]+-[a-z-]+$/) ?? [])];
			terms = request.data.docs.flatMap((s) => names(s).map((name) => [name, s.location, flat(name)]));
			const told = ({ title, text, tags }) => `${title} ${tags ?? ""} ${text.replace(/<[^>]*>/g, " ")}`;
			sections = request.data.docs.map((section) => [told(section).toLowerCase(), section.location]);
			request.data.docs.forEach(
				(section, k) => (section.tags = [...((/^[^g]/.test(section.location) && section.tags) || []), `§${k}`]),
			);
			const page = terms.find(([term]) => term === "エラー")?.[1] ?? "",
				COMMAND = /^(make [a-z]|sudo|nvcc -|export|if )|^[^ぁ-ん ]*$(?<!^cudaError.*|^CUDA_ERROR.*|^ERR_.*)/;
			messages = request.data.docs
				.filter(({ location }) => location.startsWith(`${page}#`))
				.flatMap(({ text, location }) => [...text.matchAll(/<code>(.*?)<\/code>/gs)].map(([, m]) => [m, location]))
				.filter(([m]) => !COMMAND.test(m))
				.map(([m, at]) => [fold(m.replace(/&[a-z]+;/g, " ")), at]);
		}
		if (request?.type !== QUERY) return send.call(this, request);
		send.call(this, { ...request, data: fit(request.data) });
	};

	// 貼り付けと日本語の変換では keyup が来ないことがある。Material が見るのは keyup だけである
	document
		.querySelector(".md-search__input")
		?.addEventListener("input", (e) => e.target.dispatchEvent(new Event("keyup")));
}
