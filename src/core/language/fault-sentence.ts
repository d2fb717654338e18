/** Sentences for refused fields and requests: the code of a refusal selects its text in a language. */
import type { TextsByCode, TypeNames } from './fault-texts.ts'
import { type TextsByName, textNamed } from './language.ts'
import type { PluralForms } from './plural.ts'

export type FaultParameters = Readonly<Record<string, string | number>>

type Plural = (count: number, forms: PluralForms) => string

/** Parameters whose values name types. Commas join the names of several types. */
const typeParameters: readonly string[] = ['type', 'format']

/** @returns a function that says what is wrong with a field; an unknown code leaves the service's English text */
export function faultsIn(
  texts: TextsByCode,
  types: TypeNames,
  plural: Plural,
): (detail: string, code?: string, parameters?: FaultParameters) => string {
  const known = new Map(Object.entries(texts))
  const typeNames = new Map(Object.entries(types))
  const shown = (name: string, value: string | number) => {
    if (typeof value === 'number') return plural(value, { other: '#' })
    if (!typeParameters.includes(name)) return value
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
 * @param kinds texts of errors that have no code of their own, by the kind of the error
 * @returns a function that says why a request is refused; an unknown code leaves the English detail
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
