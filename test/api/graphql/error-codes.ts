import type { Answer } from '../../support/client.ts'

export function errorCodes({ body }: Pick<Answer, 'body'>): string[] {
  return body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)
}
