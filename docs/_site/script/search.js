// 検索の言葉を、本文の切れ目 (mkdocs.yml の separator) に合わせて直してから、検索の Worker に渡す。
// ・「使い方」、片仮名の前の「何」、threadIdx.x の .x などは落とし、<<< >>> は「実行構成」とする
// ・空白、記号、漢字や片仮名に付いた助詞で切る。数のほかで、いちばん長いものがあればよい (データ競合の例 → データ競合)
// ・文字の種類が変わる所でも切る。いちばん長い言葉は + を付けて、全部がある所を見つける (データ競合 → データ と 競合)
// ・頭に * を付けて、長い言葉の途中も見つける (メモリ → グローバルメモリ、syncthreads → __syncthreads)
// ・平仮名だけの言葉は、片仮名でも探す (わーぷ → ワープ)
// ・最後の送り仮名と、途中の送り仮名に付いた助詞は落とす (読み出しが速い → 読み と 出し と 速)
// ・打った通りの言葉には ^9 で重みを付けて、長い言葉の一部より前に並べる。
//   Material の Worker は、索引に短い言葉があると、漢字をそこで切って残りを捨てる (演算子 → 演算)。\ をはさむと切らない
// 1 つも見つからなければ、用語集の言葉から、字の並びの近いものを出す。
import { make } from "./dom.js";

{
	const katakana = (text) => text.replace(/[ぁ-ん]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0x60));

	const split = (text) =>
		text
			.normalize("NFKC")
			.replace(/(?<=\w)\.[xyz](?!\w)/g, "")
			.replace(/<<<.*?(>>>|$)|何(?=[ァ-ヴー])/g, (found) => (found === "何" ? "" : " 実行構成 "))
			.split(/[^\p{L}\p{N}_.]+|(?<=[^ぁ-ん])(?:とは|って|[のはがをにでと])(?=[^ぁ-ん]|$)/u)
			.filter((word, k, all) => word && !(all.length > 1 && /^(使い方|書き方|やり方|方法|意味)$/.test(word)));
	const fit = (query) => {
		// 英語の誤りの文なら、先頭の名前、数、パス、ヘッダ、引用符や括弧の中を除いた、全部の言葉を持つ所
		const noise = /^\S+:(?=\s)|(?<!\w)["'`‘].*?["'’]|[([].*?[)\]]|\S*(\/|\.c?u?h\b)\S*|(?<![\w.])\d[\d.,]*(?!\w)/g,
			fixed = split(query.replace(noise, " ")),
			sentence = fixed.length > 2 && /^[ -~‘’]+$/.test(query),
			words = sentence ? fixed : split(query);
		const longest = words.reduce((a, b) => (b.length > a.length && /\D/.test(b) ? b : a), "");
		const whole = (part) => `${part.replace(/(?<=[一-龠々])(?=[一-龠々])/g, "\\")}^9`;
		const look = (word) => {
			if (/^[ぁ-ん][ぁ-んー]+$/.test(word)) return `*${katakana(word)}* ${katakana(word)}^9 *${word}* ${word}^9`;
			const parts = word.match(/[A-Za-z_]\w*|\d[\w.]*|[ァ-ヴー]+|[一-龠々]+[ぁ-ん]*/g) ?? [word];
			const need = sentence || (word === longest && (parts.length > 1 || words.length > 1)) ? "+" : "";
			return parts
				.map((part, k) => {
					const stem = part.replace(parts[k + 1] ? /(?<=[ぁ-ん])[のはがをにでと]$/ : /(?<=[一-龠々])[ぁ-ん]+$/, "");
					return `${need}${stem.length > 1 ? "*" : ""}${stem}* ${whole(part)}`;
				})
				.join(" ");
		};
		return words.map(look).join(" ");
	};

	// 字を 2 つずつに切り、同じものの割合で比べる
	const pairs = (text) => {
		const word = katakana(text.normalize("NFKC").toLowerCase()).replace(/[\s_]/g, "");
		return [...word].slice(1).map((c, k) => word[k] + c);
	};
	const near = (query, terms) => {
		const asked = pairs(query);
		const alike = ([term]) => {
			const own = pairs(term);
			return (2 * own.filter((pair) => asked.includes(pair)).length) / (own.length + asked.length || 1);
		};
		return terms
			.map((term) => [alike(term), ...term])
			.filter(([score]) => score > 0.3)
			.sort((a, b) => b[0] - a[0])
			.slice(0, 5);
	};

	const list = document.querySelector(".md-search-result__list");
	const offered = make("div", { className: "md-search-result__meta md-typeset" });
	const offer = (found) => {
		offered.replaceChildren(
			...found.flatMap(([, textContent, location], k) => {
				const { base } = JSON.parse(document.getElementById("__config").textContent);
				return [k ? "、" : "近い言葉: ", make("a", { href: `${base}/${location}`, textContent })];
			}),
		);
		if (found.length) list?.before(offered);
		else offered.remove();
	};

	// Material の Worker への頼みごとは、初めが索引、後は言葉である。用語集の言葉は、索引のタグにある (hooks.py)
	// 言葉を直す口は、Material にない: 欄の値がそのまま Worker に渡り、Worker の設定は separator と pipeline だけである。
	// separator は索引と言葉の両方を切るので * や ^9 を足せず、値を書き換えると、読者の打った字が変わる。
	// だから、頼みごとの番号を見て直す。番号は版によって変わりうる:
	// tests/test_search.py が、直さないと見つからない言葉で確かめる
	const QUERY = 2,
		RESULT = 3;
	let query = "",
		terms = [];
	const send = Worker.prototype.postMessage;
	Worker.prototype.postMessage = function (message) {
		if (message?.data?.docs) {
			terms = message.data.docs.flatMap(({ tags = [], location }) => tags.map((tag) => [tag, location]));
			this.addEventListener("message", ({ data }) => {
				if (data.type === RESULT) offer(query && !data.data.items.length ? near(query, terms) : []);
			});
		}
		if (message?.type !== QUERY) return send.call(this, message);
		query = message.data;
		send.call(this, { ...message, data: fit(query) });
	};

	// 貼り付けと日本語の変換では keyup が来ないことがある。Material が見るのは keyup だけである
	document
		.querySelector(".md-search__input")
		?.addEventListener("input", (e) => e.target.dispatchEvent(new Event("keyup")));
}
