/** Keeps mails in a folder, in development. */
import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../core/context.ts'
import { makePrivateFolder, pathIn } from '../../database/private-file.ts'
import { messageOf } from './message.ts'
import type { MailTransport, OutgoingMail } from './transport.ts'

export function mailFolder(dataDir: string): string {
  return join(dataDir, 'mail')
}

const maxKept = 200
const fileMode = 0o600

export class MailFolder implements MailTransport {
  readonly #folder: string
  readonly #log: Logger

  constructor(folder: string, log: Logger) {
    this.#folder = folder
    this.#log = log
  }

  async send(mail: OutgoingMail): Promise<void> {
    const { createTransport } = await import('nodemailer')
    const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
    const { message } = await writer.sendMail(messageOf(mail))
    makePrivateFolder(this.#folder)
    const file = pathIn(this.#folder, `${mail.id}-${mail.template}.eml`) // ids sort by time
    await writeFile(file, message, { mode: fileMode })
    await chmod(file, fileMode) // whatever the umask, and of a file that was there
    await this.#removeOldest()
    this.#log.info({ file, template: mail.template, tenantId: mail.tenantId }, 'mail kept')
  }

  async #removeOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.eml')).sort()
    for (const name of names.slice(0, -maxKept)) await rm(join(this.#folder, name), { force: true })
  }
}
