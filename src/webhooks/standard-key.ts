/**
 * @param secret of the form of Standard Webhooks, whose `whsec_` may be missing
 * @returns the key after it; `null` unless it is canonical base64, which every decoder reads alike
 */
export function standardKey(secret: string): Buffer | null {
  const text = secret.replace(/^whsec_/, '')
  const key = Buffer.from(text, 'base64')
  return key.length > 0 && key.toString('base64') === text ? key : null
}
