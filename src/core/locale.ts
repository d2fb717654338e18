/** Whether the text is a language tag (BCP 47), such as `en` or `de-CH`. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false // it throws RangeError for anything else
  }
}
