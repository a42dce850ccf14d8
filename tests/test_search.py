"""検索: 読者が打つ言葉で、それを説明するページが見つかる。"""
import pytest
from web import Tab


@pytest.mark.parametrize("word, name", [("畳み込み", "5.2.html"), ("atomicAdd", "5.1.html"), ("アトミック", "5.1.html"), ("reduction", "5.2.html")])
def test_search(browser, address, word, name):
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/index.html")
        box = page.locator(".md-search__input")
        box.click()
        box.fill(word)
        box.dispatch_event("keyup")
        result = page.locator(f".md-search-result__link[href*='{name}']").first
        result.wait_for(timeout=10000)
        result.click()
        page.wait_for_url(f"**/{name}*")
        assert tab.troubles == []


def test_search_can_fail(browser, address):
    with Tab(browser, 1280, "light") as tab:
        page = tab.open(f"{address}/index.html")
        page.locator(".md-search__input").click()
        page.locator(".md-search__input").fill("存在しない言葉ぬぬぬ")
        page.locator(".md-search__input").dispatch_event("keyup")
        page.wait_for_timeout(1500)
        assert page.locator(".md-search-result__link").count() == 0
