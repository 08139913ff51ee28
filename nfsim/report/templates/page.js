"use strict";
(() => {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const reader = window.matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : reader.matches);
  const say = () => button.setAttribute("aria-pressed", String(dark()));
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    say();
  });
  reader.addEventListener("change", say);
  button.hidden = false;
  say();

  // everything but the answer is closed until it is asked for, by a click, a link or the printer
  const parts = [...document.querySelectorAll("details")];
  const all = document.getElementById("open");
  const pressed = () => all.setAttribute("aria-pressed", String(parts.every((part) => part.open)));
  all.addEventListener("click", () => {
    const open = !parts.every((part) => part.open);
    for (const part of parts) part.open = open;
  });
  for (const part of parts) part.addEventListener("toggle", pressed);
  const reach = () => {
    const found = document.getElementById(location.hash.slice(1));
    const part = found && found.closest("details");
    if (part) part.open = true;
  };
  window.addEventListener("hashchange", reach);
  window.addEventListener("beforeprint", () => { for (const part of parts) part.open = true; });
  all.hidden = false;
  reach();

  // a table that can be sorted and searched: heads become buttons, and a field above it hides rows
  for (const table of document.querySelectorAll("table.sorted")) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    const compare = (place, way) => (one, two) => {
      const [a, b] = [one, two].map((row) => row.cells[place].dataset.key);
      if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
      const [x, y] = [Number(a), Number(b)];
      return way * (Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y);
    };
    heads.forEach((head, place) => {
      const sorter = document.createElement("button");
      sorter.type = "button";
      sorter.append(...head.childNodes);
      head.append(sorter);
      head.setAttribute("aria-sort", "none");
      sorter.addEventListener("click", () => {
        const first = head.classList.contains("number") ? "descending" : "ascending";
        const other = first === "ascending" ? "descending" : "ascending";
        const way = head.getAttribute("aria-sort") === first ? other : first;
        for (const each of heads) each.setAttribute("aria-sort", each === head ? way : "none");
        body.append(...rows.sort(compare(place, way === "ascending" ? 1 : -1)));
      });
    });
    const box = document.createElement("p");
    const label = document.createElement("label");
    const field = document.createElement("input");
    const count = document.createElement("output");
    box.className = "search";
    field.type = "search";
    field.autocomplete = "off";
    label.append("Search ", field);
    box.append(label, " ", count);
    const search = () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
      count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
    };
    field.addEventListener("input", search);
    search();
    table.closest(".scroll").before(box);
  }

  // Python's rounding: what lies exactly between two numbers goes to the even one
  const fixed = (x, decimals) => {
    const halves = x * 2 ** (decimals + 1);
    const unit = 10 ** decimals;
    if (!Number.isInteger(halves) || halves % 2 === 0) return x.toFixed(decimals);
    const below = Math.floor(x * unit);
    return ((below + (below % 2)) / unit).toFixed(decimals);
  };

  const wilson = (k, n, z) => {
    const middle = (k + (z * z) / 2) / (n + z * z);
    const half = (z / (n + z * z)) * Math.sqrt((k * (n - k)) / n + (z * z) / 4);
    return [Math.max(0, middle - half), Math.min(1, middle + half)];
  };

  const written = (k, n, z) => {
    const [low, high] = wilson(k, n, z);
    const decimals = high < 0.01 || low > 0.99 ? 2 : 1;
    const [rate, from, to] = [k / n, low, high].map((x) => fixed(100 * x, decimals));
    if (high > 0 && high < 0.00005) return `${rate} % (below 0.01)`;
    if (low < 1 && low > 0.99995) return `${rate} % (above 99.99)`;
    return `${rate} % (${from}–${to})`;
  };

  const reaching = (run, score) => {
    let k = 0;
    for (let i = Math.max(0, score - run.first); i < run.games.length; i += 1) k += run.games[i];
    return k;
  };

  for (const box of document.querySelectorAll(".sliders")) {
    const data = JSON.parse(document.getElementById(box.id.replace(/sliders$/, "counts")).textContent);
    box.querySelectorAll(".slider").forEach((slider, place) => {
      const input = slider.querySelector("input");
      const rows = slider.querySelectorAll(".rate");
      const show = () => {
        const score = Number(input.value);
        input.setAttribute("aria-valuetext", `${score} ${input.dataset.unit}`);
        slider.querySelector(".at b").textContent = `${score}+ ${input.dataset.unit}`.replace("-", "−");
        data.sliders[place].runs.forEach((run, i) => {
          const k = reaching(run, score);
          rows[i].querySelector("b").textContent = written(k, run.n, data.z);
          rows[i].querySelector(".bar span").style.width = `${(100 * k) / run.n}%`;
        });
        for (const reset of slider.querySelectorAll("button")) {
          reset.setAttribute("aria-pressed", String(Number(reset.dataset.score) === score));
        }
      };
      input.addEventListener("input", show);
      for (const reset of slider.querySelectorAll("button")) {
        reset.addEventListener("click", () => {
          input.value = reset.dataset.score;
          show();
        });
      }
    });
    box.hidden = false;
  }
  root.classList.add("live");
})();
