/** Finds out whether a mail server takes addresses in any script (RFC 6531). */
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'

/**
 * Asks on a separate connection, because those of the pool tell it only when a mail is sent.
 * @throws Error when the server cannot be reached, or does not reply in time
 */
export async function offersUtf8(options: SMTPConnectionOptions, deadlineMs: number): Promise<boolean> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection(options)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const deadline = setTimeout(() => reject(new Error('The mail server did not reply in time.')), deadlineMs)
  connection.once('error', reject)
  connection.connect(() => resolve())
  try {
    await promise
    return extensionsOf(connection).includes('SMTPUTF8')
  } finally {
    clearTimeout(deadline)
    connection.on('error', () => undefined) // the server may end the connection first
    connection.close()
  }
}

/** @returns the extensions of the server: those after STARTTLS, if the server offers it */
function extensionsOf(connection: SMTPConnection): readonly string[] {
  return (connection as unknown as { _supportedExtensions: string[] })._supportedExtensions // not in its types
}
