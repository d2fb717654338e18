/** The service tells of errors in English; a person reads them in the language of the console. */
import { errorKinds } from '../../../src/core/errors.ts'
import type { RefusalTranslations } from '../../../src/core/language/refusal-texts.ts'

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
