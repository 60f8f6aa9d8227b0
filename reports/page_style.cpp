// Page style: variables for the two themes, the page, the drawing, narrow windows, paper.
// SPDX-License-Identifier: Apache-2.0
#include "reports/page_style.h"

namespace locklab {
namespace {

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--ground:#fff;--soft:#f4f6f8;--ink:#1b2430;--dim:#57606a;--rule:#b7bfc8;
--faint:#d8dde3;--grey:#6b7480;--red:#b3151f;--amber:#8a5a00;--green:#00694a;--link:#0b57b0;--on:#fff;
--h0:#0b62c4;--h1:#a84300;--h2:#00694a;--h3:#8a3d8f;--h4:#665c00;--h5:#3f4a5a}
@media (prefers-color-scheme:dark){:root{--ground:#14181d;--soft:#1d232a;--ink:#e8edf2;--dim:#a3adb8;
--rule:#4a5561;--faint:#2b333c;--grey:#8b95a1;--red:#ff8a85;--amber:#e8b04a;--green:#5fd0a5;
--link:#83b9ff;--on:#14181d;--h0:#7db7ff;--h1:#ff9d5c;--h2:#5fd0a5;--h3:#e09be4;--h4:#d3c551;--h5:#b4c0cd}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1264px;padding:20px 24px 40px;background:var(--ground);color:var(--ink);
font:15px/1.5 system-ui,sans-serif}
h1{font-size:26px;line-height:1.25;margin:0 0 12px}
h2{font-size:18px;margin:32px 0 8px}
p{margin:0 0 8px;max-width:86ch}
code{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
a{color:var(--link)}
.kicker,.dim{color:var(--dim)}
.kicker{margin:0 0 4px}
.icon{width:14px;height:14px;vertical-align:-2px;fill:none;stroke:currentColor;stroke-width:2.4}
.verdict{border-left:5px solid var(--rule);background:var(--soft);padding:12px 16px;margin:0 0 12px}
.verdict p:last-child{margin:0}
.verdict .head{font-size:17px}
.verdict .head,.verdict p{max-width:100ch}
.verdict.violated{border-color:var(--red)}
.verdict.unknown{border-color:var(--amber)}
.verdict.holds{border-color:var(--green)}
.violated .is,.is.violated,.mark{color:var(--red);font-weight:600}
.unknown .is,.is.unknown,.struck-by{color:var(--amber);font-weight:600}
.holds .is,.is.holds{color:var(--green);font-weight:600}
.command{display:block;background:var(--soft);padding:8px 12px;margin:0 0 8px;max-width:none}
.scroll{overflow-x:auto;border:1px solid var(--rule);padding:6px 0;position:relative;display:flex;
scroll-padding:0 120px 0 calc(var(--names) + 38px)}
.scroll>svg{flex:none}
table{border-collapse:collapse;width:100%;font-size:14px}
th{text-align:left;color:var(--dim);font-weight:600;border-bottom:1px solid var(--rule)}
th,td{padding:4px 12px 4px 0;vertical-align:top}
td{border-bottom:1px solid var(--faint);overflow-wrap:anywhere}
td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;overflow-wrap:normal}
.story .n,.events .n{width:1%}
td.is{white-space:nowrap}
tr.fold td{color:var(--dim);font-style:italic}
tr:target td{background:var(--soft);box-shadow:inset 0 2px var(--link),inset 0 -2px var(--link)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 20px;margin:10px 0 12px;padding:0;
font-size:13px;color:var(--dim)}
.legend svg{vertical-align:-3px}
summary{cursor:pointer;font-size:18px;font-weight:600;margin:32px 0 8px}
details table{font-size:13px}
footer{margin-top:36px;padding-top:10px;border-top:1px solid var(--rule);color:var(--dim);font-size:13px}
svg{fill:var(--ink)}
.chart text,.pin text{font-variant-numeric:tabular-nums}
.h0{--c:var(--h0)}.h1{--c:var(--h1)}.h2{--c:var(--h2)}.h3{--c:var(--h3)}.h4{--c:var(--h4)}.h5{--c:var(--h5)}
.hx,.pr,.re,.pb,.st,.de,.up,.down,.began,.expired{--c:var(--grey)}
.fa,.dr,.strike{--c:var(--amber)}
.cx,.ended,.refused,.bad{--c:var(--red)}
.good{--c:var(--green)}
.in,.cl,.ow,.pr,.fa{fill:var(--c);stroke:var(--c)}
.cp,.re,.pb{fill:none;stroke:var(--c)}
.st,.de,.cx,.dr{stroke:var(--c)}
.de{opacity:.5}
.solid{fill:var(--c);stroke:var(--c)}
.hollow{stroke:var(--c)}
.on{fill:var(--on);stroke:var(--c);stroke-width:3px;paint-order:stroke}
.word{stroke:var(--ground);stroke-width:3px;stroke-opacity:.75;paint-order:stroke}
.under{stroke:var(--ground)}
.hatch-stopped,.hatch-dead{stroke:var(--ink)}
.hatch-clash{stroke:var(--red)}
.hatch-drift{stroke:var(--amber)}
.tick,.zero,.slash{stroke:var(--grey)}
.line,.flight{stroke:var(--ink)}
.head{fill:var(--ink)}
.grid,.gap{stroke:var(--faint)}
.rule{stroke:var(--rule)}
.chart .dim,.pin .dim{fill:var(--dim)}
.names{fill:var(--ink)}
.ground{fill:var(--ground)}
.band{fill:var(--red)}
.band rect,.cross{stroke:var(--red)}
.band text{stroke:var(--ground);stroke-width:3px;paint-order:stroke}
.step rect{fill:var(--ground);stroke:var(--grey)}
.step.struck rect{stroke:var(--amber)}
.step.bad rect{stroke:var(--red)}
.step:hover text,.step:focus text{text-decoration:underline}
.step text{fill:var(--ink)}
.plumb{stroke:var(--grey)}
.jump{display:none}
.pin{width:0;position:sticky;left:0;order:-1}
.wide .pin{width:var(--names);margin-right:calc(-1*var(--names))}
.jump.wide{display:block}
@media (max-width:1279px){.pin{width:var(--names);margin-right:calc(-1*var(--names))}
.jump{display:block}}
@media (max-width:700px){body{padding:14px 12px 32px;font-size:16px}h1{font-size:22px}
.verdict{padding:10px 12px}th,td{padding-right:8px}
.findings thead{display:none}
.findings,.findings tbody,.findings tr,.findings td{display:block}
.findings tr{border-bottom:1px solid var(--faint);padding:8px 0}
.findings td{border:0;padding:0 0 2px}
.findings td:empty{display:none}
.findings td.n{text-align:left}
.findings td.n::before{content:"exercised: "}}
@media print{body{max-width:none;padding:0}.scroll{overflow:visible;border:0;padding:0}
.chart{width:100%;height:auto}.pin{display:none}details{display:none}a{color:inherit}}
)css";

}  // namespace

std::string_view page_style() {
  return kStyle;
}

}  // namespace locklab
