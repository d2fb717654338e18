/** Sentences with a count, in the plural forms of a language (CLDR). */
export type PluralForms = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

/** @returns the form of a count, with the count for each `#` in it */
export function pluralsOf(locale: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (count, forms) =>
    (forms[rules.select(count)] ?? forms.other).replaceAll('#', () => numbers.format(count))
}
