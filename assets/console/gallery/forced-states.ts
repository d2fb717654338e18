/**
 * Shows states without a pointer or a key, for the gallery. Below an element with `data-state="hover"`, `pressed` or
 * `focus`, controls look as if pointed at, pressed or focused: each style rule for such a state gets a second
 * selector.
 */
const controls = ':where(a, button, input, select, textarea, summary, [tabindex])'

const stands: readonly (readonly [pseudo: RegExp, selector: string])[] = [
  [/:hover/g, ':is([data-state~="hover"] *)'],
  [/:active/g, ':is([data-state~="pressed"] *)'],
  [/:focus-within/g, ':is([data-state~="focus"] *)'],
  [/:focus(-visible)?(?!-)/g, `:is([data-state~="focus"] ${controls})`],
]

export function forceStates(): void {
  for (const sheet of document.styleSheets) force(sheet)
}

function force(parent: CSSStyleSheet | CSSGroupingRule): void {
  for (let index = parent.cssRules.length - 1; index >= 0; index -= 1) {
    const rule = parent.cssRules[index]
    if (rule instanceof CSSStyleRule) {
      const forced = forcedSelector(rule.selectorText)
      if (forced !== rule.selectorText) parent.insertRule(`${forced} { ${rule.style.cssText} }`, index + 1)
    } else if (rule instanceof CSSGroupingRule) force(rule)
  }
}

function forcedSelector(selector: string): string {
  return stands.reduce((made, [pseudo, stand]) => made.replaceAll(pseudo, stand), selector)
}
