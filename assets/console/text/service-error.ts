/** The service tells of errors in English; a person reads them in the language of the console. */
import { errorKinds } from '../../../src/core/errors.ts'
import type { FaultTexts, TypeNames } from '../../../src/core/language/fault-texts.ts'
import type { PluralForms } from './plural.ts'

/** @param texts by the kind of the error @returns translates a message; one that says more than its kind stays as it is */
export function errorsIn(texts: Readonly<Record<string, string>>): (message: string) => string {
  const known = new Map(Object.entries(errorKinds).map(([kind, { text }]) => [text as string, texts[kind]]))
  return (message) => known.get(message) ?? message
}

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
