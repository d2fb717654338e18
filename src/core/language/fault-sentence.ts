/** What is wrong with a field, said in a language by the code of the refusal. */
import type { FaultTexts, TypeNames } from './fault-texts.ts'
import type { PluralForms } from './plural.ts'

export type FaultParameters = Readonly<Record<string, string | number>>

/** Several types are joined by commas. */
const typed: readonly string[] = ['type', 'format']

/** @returns says what is wrong with a field; in English, as the service says it, without a known code */
export function faultsIn(
  texts: FaultTexts,
  types: TypeNames,
  plural: (count: number, forms: PluralForms) => string,
): (detail: string, code?: string, parameters?: FaultParameters) => string {
  const known = new Map(Object.entries(texts))
  const typeNames = new Map(Object.entries(types))
  const shown = (name: string, value: string | number) => {
    if (typeof value === 'number') return plural(value, { other: '#' })
    if (!typed.includes(name)) return value
    return value.replaceAll(/[^\s,]+/g, (each) => typeNames.get(each) ?? each)
  }
  return (detail, code = '', parameters = {}) => {
    const text = known.get(code)
    if (text === undefined) return detail
    const sentence = typeof text === 'string' ? text : plural(Number(parameters['limit']), text)
    return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => shown(name, parameters[name] ?? ''))
  }
}
