/** The service tells of errors in English; a person reads them in the language of the console. */
import { errorKinds } from '../../../src/core/errors.ts'
import type { FaultTexts, TypeNames } from '../../../src/core/language/fault-texts.ts'
import type { RefusalTranslations } from '../../../src/core/language/refusal-texts.ts'
import type { PluralForms } from './plural.ts'

/**
 * @param texts by the kind of the error @param refusals by what the service says, as `refusalTexts` has it
 * @returns translates a message; one that is neither stays as it is
 */
export function errorsIn(
  texts: Readonly<Record<string, string>>,
  refusals: RefusalTranslations,
): (message: string) => string {
  const known = new Map(Object.entries(errorKinds).map(([kind, { text }]) => [text as string, texts[kind]]))
  const shapes = Object.entries(refusals).map(([said, text]) => [shapeOf(said), text] as const)
  return (message) => {
    const whole = known.get(message)
    if (whole !== undefined) return whole
    for (const [shape, text] of shapes) {
      const values = shape.exec(message)?.slice(1)
      if (values !== undefined) return text.replaceAll('{}', () => values.shift() ?? '')
    }
    return message
  }
}

function shapeOf(said: string): RegExp {
  return new RegExp(
    `^${said.replaceAll(/[.()]/g, String.raw`\$&`).replaceAll('{}', '(.+?)').replaceAll('{label}', '.+?')}$`,
  )
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
