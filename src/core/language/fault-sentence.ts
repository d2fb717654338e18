/** What is wrong with a field or a whole request, said in a language by the code of the refusal. */
import type { TextsByCode, TypeNames } from './fault-texts.ts'
import { type TextsByName, textNamed } from './language.ts'
import type { PluralForms } from './plural.ts'

export type FaultParameters = Readonly<Record<string, string | number>>

type Plural = (count: number, forms: PluralForms) => string

/** Several types are joined by commas. */
const typed: readonly string[] = ['type', 'format']

/** @returns says what is wrong with a field; in English, as the service says it, without a known code */
export function faultsIn(
  texts: TextsByCode,
  types: TypeNames,
  plural: Plural,
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

/** An error of a whole request, as problem details have it (RFC 9457). */
export interface RefusedRequest {
  title?: string
  detail?: string
  code?: string
  parameters?: FaultParameters
}

/**
 * @param kinds texts of errors that say no more than their kind
 * @returns says why a request is refused; in English what an application, or a text for programs, says
 */
export function errorsIn(
  refusals: TextsByCode,
  kinds: TextsByName,
  plural: Plural,
): (refused: RefusedRequest) => string {
  const said = faultsIn(refusals, {}, plural)
  return ({ title, detail = '', code = '', parameters }) =>
    (detail === title ? textNamed(kinds, code) : undefined) ?? said(detail, code, parameters)
}
