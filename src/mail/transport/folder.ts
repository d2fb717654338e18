/** The transport of development, which writes mails to a folder instead of sending them. */

import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../core/context.ts'
import type { KeptMail } from '../../core/mail-settings.ts'
import { makePrivateFolder, pathIn } from '../../database/private-file.ts'
import { errorCode } from '../../database/thrown.ts'
import { messageOf } from './message.ts'
import type { MailTransport, OutgoingMail } from './transport.ts'

export function mailFolder(dataDir: string): string {
  return join(dataDir, 'mail')
}

/** The most mails in the folder. */
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
    const { id, template, subject, text, links } = mail
    makePrivateFolder(this.#folder)
    const kept: KeptMail = { subject, text, links }
    await this.#write(`${id}${contentEnding}`, JSON.stringify(kept))
    const file = await this.#write(`${id}-${template}${messageEnding}`, message)
    await this.#removeOldest()
    this.#log.info({ file, template, tenantId: mail.tenantId }, 'mail kept')
  }

  async read(id: string): Promise<KeptMail | null> {
    const file = pathIn(this.#folder, `${id}${contentEnding}`)
    try {
      return JSON.parse(await readFile(file, 'utf8')) as KeptMail // as `send` writes it
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    }
  }

  async #write(name: string, content: Parameters<typeof writeFile>[1]): Promise<string> {
    const file = pathIn(this.#folder, name)
    await writeFile(file, content, { mode: fileMode })
    await chmod(file, fileMode) // `writeFile` obeys the umask, and leaves the mode of an existing file
    return file
  }

  /** Removes the oldest files of each kind. Ids sort by time. */
  async #removeOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).sort()
    for (const ending of [messageEnding, contentEnding]) {
      const oldest = names.filter((name) => name.endsWith(ending)).slice(0, -maxKept)
      for (const name of oldest) await rm(join(this.#folder, name), { force: true })
    }
  }
}

const messageEnding = '.eml'
/** Each message has a second file with what developers read of it, so that nothing has to parse messages. */
const contentEnding = '.json'
