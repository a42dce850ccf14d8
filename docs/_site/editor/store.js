// store.js: このブラウザが覚えているもの。localStorage の使えない所では、何も覚えない
export function recall(key) {
	try {
		return JSON.parse(localStorage.getItem(`book ${key}`));
	} catch {}
}
export function keep(key, value) {
	try {
		if (value === undefined) localStorage.removeItem(`book ${key}`);
		else localStorage.setItem(`book ${key}`, JSON.stringify(value));
		return true;
	} catch {
		return false;
	}
}
