// 検索の言葉を、本文の切れ目 (mkdocs.yml の separator) に合わせて直してから、検索の Worker に渡す。
// ・空白、記号、漢字や片仮名に付いた助詞で切る。切れたどれかがあればよい (データ競合の例 → データ競合、例)
// ・文字の種類が変わる所でも切る。こちらは + を付けて、全部がある所だけを見つける (データ競合 → データ と 競合)
// ・頭に * を付けて、長い言葉の途中も見つける (メモリ → グローバルメモリ、syncthreads → __syncthreads)
// ・最後の送り仮名は落とす (待ち合わせる → 待ち と 合)
// ・打った通りの言葉には ^9 で重みを付けて、長い言葉の一部より前に並べる
{
	const fit = (query) =>
		query
			.normalize("NFKC")
			.split(/[^\p{L}\p{N}_.]+|(?<=[^ぁ-ん])(?:とは|[のはがをにでと])(?=[^ぁ-ん]|$)/u)
			.filter(Boolean)
			.map((word) => {
				const parts = word.match(/[A-Za-z_]\w*|\d[\w.]*|[ァ-ヴー]+|[一-龠々]+[ぁ-ん]*/g) ?? [word];
				return parts
					.map((part, k) => {
						const stem = k === parts.length - 1 ? part.replace(/(?<=[一-龠々])[ぁ-ん]+$/, "") : part;
						return `${parts.length > 1 ? "+" : ""}${stem.length > 1 ? "*" : ""}${stem}* ${part}^9`;
					})
					.join(" ");
			})
			.join(" ");

	const send = Worker.prototype.postMessage;
	Worker.prototype.postMessage = function (message) {
		send.call(this, typeof message?.data === "string" ? { ...message, data: fit(message.data) } : message);
	};

	// 貼り付けと日本語の変換では keyup が来ないことがある。Material が見るのは keyup だけである
	document
		.querySelector(".md-search__input")
		?.addEventListener("input", (e) => e.target.dispatchEvent(new Event("keyup")));
}
