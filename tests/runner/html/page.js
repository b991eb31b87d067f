// SPDX-License-Identifier: MIT
// The details of the map: #/RUN, #/RUN/SUITE, #/RUN/SUITE/TEST show a panel beside it. All text is
// set as text, never as HTML: logs come from anywhere.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const panel = document.getElementById("detail");
  const KINDS = ["passed", "failed", "erratum", "known", "skipped"];     // as in runner/people/show.py
  const SIGNS = { passed: "\u2713", failed: "\u2717", erratum: "~", known: "\u2248", skipped: "\u2013" };
  const LABELS = { passed: "passed", failed: "failed", erratum: "erratum", known: "deviation",
    skipped: "skipped" };
  const WORST = ["failed", "erratum", "known", "passed", "skipped"];
  let came = null;                        // where the focus was before the panel opened

  const make = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };
  const link = (parts, ...children) =>
    make("a", { href: "#/" + parts.map(encodeURIComponent).join("/") }, ...children);
  const text = (number) => (number < 0 || number === undefined ? "" : data.texts[number]);
  const suiteOf = (test) => test.split(".")[0];
  const sign = (kind) => make("span", { class: "sign " + kind, title: LABELS[kind] }, SIGNS[kind]);

  // A run's results: {test, cpu, kind, block, repeat, reason}, made when the run is first shown.
  const resultsOf = (run) => {
    if (run.results) return run.results;
    run.results = [];
    for (const [cpu, of] of Object.entries(run.cpus)) {
      const add = (test, kind, more) => run.results.push(
        Object.assign({ test: data.tests[test], cpu: Number(cpu), kind, reason: "" }, more));
      of.p.forEach((test) => add(test, "passed"));
      for (const [reason, tests] of Object.entries(of.s))
        tests.forEach((test) => add(test, "skipped", { reason: text(Number(reason)) }));
      of.x.forEach(([test, kind, block, repeat, reason]) => add(test, KINDS[kind], {
        block: data.blocks[block], repeat: text(repeat), reason: text(reason) }));
    }
    return run.results;
  };

  // Rows of [test, worst kind, its results], worst first.
  const byTest = (results) => {
    const tests = new Map();
    for (const result of results) {
      if (!tests.has(result.test)) tests.set(result.test, []);
      tests.get(result.test).push(result);
    }
    return [...tests].map(([test, all]) => [test, worstOf(all), all]).sort((a, b) =>
      WORST.indexOf(a[1]) - WORST.indexOf(b[1]) || (a[0] < b[0] ? -1 : 1));
  };
  const worstOf = (results) => WORST.find((kind) => results.some((each) => each.kind === kind));

  const facts = (rows) => make("table", { class: "facts" }, ...rows.filter(([, value]) => value).map(
    ([key, value]) => make("tr", { class: key }, make("th", { scope: "row" }, key),
      make("td", {}, value))));

  const pills = (results) => {
    const counted = WORST.map((kind) => [kind, results.filter((each) => each.kind === kind).length]);
    return make("p", {}, ...counted.filter(([, count]) => count).flatMap(([kind, count]) => [
      make("span", { class: "pill " + kind }, SIGNS[kind], ` ${count} ${LABELS[kind]}`), " "]));
  };

  const testList = (run, rows) => make("ul", { class: "tests" }, ...rows.map(([test, kind, all]) => {
    const reason = all.find((each) => each.kind === kind && (each.reason || each.block));
    const why = reason ? reason.reason || findingOf(reason) : "";
    return make("li", {}, link([run.key, suiteOf(test), test], sign(kind), make("code", {}, test),
      why ? make("small", {}, why) : null));
  }));
  const findingOf = (result) => {
    const check = result.block.checks[0];
    return result.kind === "passed" || !check ? "" : `${text(check.what)}: got ${text(check.got)}`;
  };

  const showRun = (run) => {
    const suites = new Map();
    for (const result of resultsOf(run)) {
      const suite = suiteOf(result.test);
      if (!suites.has(suite)) suites.set(suite, []);
      suites.get(suite).push(result);
    }
    return [make("h2", {}, run.name), pills(run.results),
      facts([["verdict", run.verdict], ["quirk", run.quirk], ["QEMU", run.qemu], ["file", run.file],
        ["kernel", `${run.version}, ${run.kind}`],
        ["time", run.seconds === null ? "" : `${run.seconds} s`]]),
      make("h3", {}, "Suites"),
      make("ul", { class: "tests" }, ...[...suites].sort().map(([suite, all]) => make("li", {},
        link([run.key, suite], sign(worstOf(all)), make("code", {}, suite),
          make("small", {}, WORST.map((kind) => [all.filter((each) => each.kind === kind).length, kind])
            .filter(([count]) => count).map(([count, kind]) => `${count} ${LABELS[kind]}`)
            .join(", ")))))),
      make("h3", {}, "What the log's head says"), facts(Object.entries(run.head))];
  };

  const showSuite = (run, suite) => {
    const results = resultsOf(run).filter((result) => suiteOf(result.test) === suite);
    return [make("h2", {}, suite), pills(results), testList(run, byTest(results))];
  };

  const showResult = (run, result) => {
    const block = result.block || { checks: [], reported: [] };
    const checks = block.checks.map((check) => facts(
      ["what", "got", "want", "why", "at"].map((key) => [key, text(check[key])])));
    return make("div", {},
      make("p", {}, make("span", { class: "pill " + result.kind }, SIGNS[result.kind],
        ` ${LABELS[result.kind]}`), Object.keys(run.cpus).length > 1 ? ` cpu ${result.cpu}` : ""),
      result.reason ? make("p", {}, result.reason) : null, ...checks,
      facts([["severity", text(block.severity)], ["source", text(block.source)],
        ["repeat", result.repeat], ["not shown", text(block.not_shown)]]),
      ...(block.reported.length ? [make("h3", {}, "Reported"),
        make("ul", {}, ...block.reported.map((each) => make("li", {}, text(each))))] : []));
  };

  const showTest = (run, test) => {
    const results = resultsOf(run).filter((result) => result.test === test);
    const claim = results.map((each) => each.block && text(each.block.claim)).find(Boolean);
    const others = data.runs.filter((other) => other !== run).map((other) =>
      [other, worstOf(resultsOf(other).filter((each) => each.test === test))])
      .filter(([, kind]) => kind).sort((a, b) => WORST.indexOf(a[1]) - WORST.indexOf(b[1]));
    return [make("h2", {}, test), claim ? make("p", { class: "claim" }, claim) : null,
      ...results.map((result) => showResult(run, result)),
      others.length ? make("h3", {}, "The same test in other runs") : null,
      make("ul", { class: "tests" }, ...others.map(([other, kind]) => make("li", {},
        link([other.key, suiteOf(test), test], sign(kind), make("span", {}, other.name)))))]
      .filter(Boolean);
  };

  const crumbs = (run, suite, test) => make("ol", { class: "crumbs" },
    make("li", {}, link([run.key], run.target || run.key)),
    suite ? make("li", {}, link([run.key, suite], suite)) : null,
    test ? make("li", { "aria-current": "page" }, test.slice(suite.length + 1) || test) : null);

  const close = () => { history.pushState(null, "", "#map"); show(); };
  const parts = () => location.hash.startsWith("#/")
    ? location.hash.slice(2).split("/").map(decodeURIComponent) : [];

  const show = () => {
    const [key, suite, test] = parts();
    const run = data.runs.find((each) => each.key === key);
    document.querySelectorAll(".map [aria-current]").forEach((each) =>
      each.removeAttribute("aria-current"));
    if (!run) {
      panel.hidden = true;
      if (came) came.focus({ preventScroll: true });
      came = null;
      return;
    }
    const cell = document.querySelector(`.map a[href="${CSS.escape(location.hash)}"]`)
      || [...document.querySelectorAll(".map a")].find((each) =>
        each.getAttribute("href") === `#/${key}/${suite}`);
    if (cell) cell.setAttribute("aria-current", "true");
    came = came || cell || document.activeElement;
    const button = make("button", { class: "close", type: "button" }, "Close");
    button.addEventListener("click", close);
    panel.replaceChildren(make("div", { class: "bar" }, crumbs(run, suite, test), button),
      ...(test ? showTest(run, test) : suite ? showSuite(run, suite) : showRun(run)));
    panel.hidden = false;
    panel.scrollTop = 0;
    panel.focus({ preventScroll: true });
  };

  // ------------------------------------------------------------------------------ which rows show
  const words = document.getElementById("rows"), only = document.getElementById("only");
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
    document.querySelectorAll(".map tr[data-run]").forEach((row) => {
      const name = row.querySelector("th").textContent.toLowerCase();
      row.hidden = wanted.some((word) => !name.includes(word))
        || (only.checked && !row.querySelector("td.failed, td.erratum, td.known"));
    });
    document.querySelectorAll(".map tbody").forEach((group) => {
      group.hidden = ![...group.querySelectorAll("tr[data-run]")].some((row) => !row.hidden);
    });
  };

  // ------------------------------------------------------------------ two machines side by side
  const pages = [...document.querySelectorAll("#machines details.page")].map((page) => ({
    name: page.querySelector("summary").textContent,
    facts: new Map([...page.querySelectorAll("tr")].map((row) =>
      [row.querySelector("th").textContent, row.querySelector("td").textContent])),
  }));

  const beside = (left, right) => make("table", { class: "facts" },
    ...[...new Set([...left.facts.keys(), ...right.facts.keys()])].map((key) => {
      const values = [left, right].map((page) => page.facts.get(key) || "");
      return make("tr", values[0] === values[1] ? {} : { class: "differs" },
        make("th", { scope: "row" }, key), ...values.map((value) => make("td", {}, value)));
    }));

  const chooser = (label, chosen) => {
    const select = make("select", { "aria-label": label }, ...pages.map((page, index) =>
      make("option", { value: index }, page.name)));
    select.selectedIndex = chosen;
    return select;
  };

  if (pages.length > 1) {
    const selects = [chooser("the first machine", 0), chooser("the second machine", 1)];
    const place = make("div", { class: "wide" });
    const fill = () => place.replaceChildren(beside(...selects.map((select) => pages[select.value])));
    const box = make("details", { id: "beside" }, make("summary", {}, "Two of them side by side"),
      make("p", {}, ...selects), place);
    selects.forEach((select) => select.addEventListener("change", fill));
    fill();
    document.querySelector("#machines p").after(box);
  }

  document.documentElement.classList.add("live");
  words.addEventListener("input", filter);
  only.addEventListener("change", filter);
  document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) close();
  });
  addEventListener("hashchange", show);
  addEventListener("popstate", show);
  show();
})();
