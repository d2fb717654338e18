/** The style of the account pages: backgrounds and sizes of the console, in the colours of the tenant. */
import type { BrandColors } from '../../core/brand-shape.ts'
import { type Html, html } from '../../core/html.ts'
import { type Brand, colorsOf } from '../../core/tenant/brand.ts'

/** Controls are 44 px high, so that they can be touched easily. */
export function styleOf(brand: Brand): Html {
  const { light, dark } = colorsOf(brand)
  return html`
:root { color-scheme: light dark; ${lightTokens} ${tokensOf(light)} }
@media (prefers-color-scheme: dark) { :root { ${darkTokens} ${tokensOf(dark)} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 14px/20px system-ui, sans-serif; }
main { display: grid; min-height: 100vh; padding: 24px 16px; align-content: center; justify-items: center; }
.page { width: 100%; max-width: 432px; }
.card { padding: 24px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
.brand { margin: 0 0 16px; font-size: 16px; line-height: 24px; font-weight: 600; text-align: center; overflow-wrap: anywhere; }
.brand img { display: block; max-width: 100%; height: 40px; margin: 0 auto; object-fit: contain; }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 28px; font-weight: 600; overflow-wrap: anywhere; }
p { margin: 8px 0; overflow-wrap: anywhere; }
a { color: var(--accent-text); }
label { display: block; margin-top: 16px; font-size: 13px; font-weight: 600; }
input { width: 100%; height: 44px; margin-top: 4px; padding: 0 12px; border: 1px solid var(--field-line); border-radius: 6px; background: var(--surface); color: inherit; font: inherit; font-size: 16px; }
input[aria-invalid] { border: 2px solid var(--bad); }
.hint, .fault { display: block; margin-top: 4px; font-size: 13px; }
.hint { color: var(--ink-soft); }
.fault { color: var(--bad); }
.fault::before, .error::before { content: '⚠ '; }
.error { padding: 12px; border: 1px solid var(--bad); border-radius: 6px; background: var(--bad-soft); color: var(--bad); }
code, .codes { font: 16px/28px ui-monospace, monospace; overflow-wrap: anywhere; }
.qr-code { display: block; width: 224px; max-width: 100%; background: #fff; fill: #000; }
button, .button { display: block; width: 100%; min-height: 44px; margin-top: 24px; padding: 12px; border: 1px solid transparent; border-radius: 6px; background: var(--solid); color: var(--on-solid); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--solid-hover); }
.second, #passkey button { margin-top: 16px; border-color: var(--edge); background: var(--surface); color: var(--ink); }
.second:hover, #passkey button:hover { background: var(--sunken); }
.after { margin: 8px 0 -12px; text-align: center; }
.after a { display: inline-block; padding: 12px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
`
}

const lightTokens = tokens({
  canvas: '#f9f9fb',
  surface: '#ffffff',
  sunken: '#f0f0f3',
  line: '#e0e1e6',
  'field-line': '#80838d',
  edge: '#d3d4db',
  ink: '#1c2024',
  'ink-soft': '#60646c',
  bad: '#c0262c',
  'bad-soft': '#feebec',
})

const darkTokens = tokens({
  canvas: '#111113',
  surface: '#18191b',
  sunken: '#212225',
  line: '#2e3135',
  'field-line': '#777b84',
  edge: '#43484e',
  ink: '#edeef0',
  'ink-soft': '#b0b4ba',
  bad: '#ff9592',
  'bad-soft': '#3b1219',
})

function tokensOf({ solid, onSolid, solidHover, accentText, focus }: BrandColors): string {
  return tokens({ solid, 'on-solid': onSolid, 'solid-hover': solidHover, 'accent-text': accentText, focus })
}

function tokens(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ')
}
