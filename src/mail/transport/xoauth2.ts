/**
 * Signs in at a mail server with an access token (SASL XOAUTH2). The implementation of nodemailer is not used,
 * because it keeps a token for each connection, and leaves out why the server refuses a token.
 */
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import { type RelayTokens, SignInFailure } from './relay-token.ts'

type Handler = NonNullable<SMTPConnectionOptions['customAuth']>[string]
type SendCommand = Parameters<Handler>[0]['sendCommand']

/** Makes the handler. If the server refuses the token, it tries once more with another token, if there is one. */
export function xoauth2(user: string, tokens: RelayTokens): Handler {
  return async ({ sendCommand }) => {
    const token = await tokens.get()
    const refusal = await signIn(sendCommand, user, token)
    if (refusal === null) return
    tokens.drop(token)
    const other = await tokens.get()
    const lastRefusal = other === token ? refusal : await signIn(sendCommand, user, other)
    if (lastRefusal !== null) throw new SignInFailure(lastRefusal)
  }
}

/** @returns why the token is refused; `null` after a success */
async function signIn(sendCommand: SendCommand, user: string, token: string): Promise<string | null> {
  const text = Buffer.from(`user=${user}\x01auth=Bearer ${token}\x01\x01`).toString('base64')
  const reply = await sendCommand(`AUTH XOAUTH2 ${text}`)
  if (reply.status === 235) return null
  if (reply.status !== 334) return `AUTH XOAUTH2: ${reply.response}`
  // This reply has the reason. The refusal follows once the client has answered.
  const { response } = await sendCommand('')
  return `AUTH XOAUTH2: ${response} ${detailOf(reply.text)}`.trimEnd()
}

/** Servers send a JSON object in base64, such as `{"status":"401","schemes":"Bearer"}`. */
function detailOf(text: string): string {
  const shown = Buffer.from(text, 'base64').toString()
  return shown.startsWith('{') ? `(${shown})` : ''
}
