/**
 * Replaces the package react-style-singleton, which makes style elements that the security policy of the page
 * forbids. A constructed style sheet is allowed.
 */
import { useEffect } from 'react'

/** @returns a component that applies its `styles` while at least one of it is mounted */
export function styleSingleton() {
  const sheet = new CSSStyleSheet()
  let mounted = 0
  /** @param {{ styles: string }} properties */
  return function Styles({ styles }) {
    useEffect(() => {
      sheet.replaceSync(styles)
      if (mounted === 0) document.adoptedStyleSheets.push(sheet)
      mounted += 1
      return () => {
        mounted -= 1
        if (mounted > 0) return
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
      }
    }, [styles])
    return null
  }
}
