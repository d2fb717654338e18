/** An application that a page shows: its files are written, and its commands are run, in the order of the page. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ownEntry } from '../database/schema/application.ts'
import type { Workplace } from '../support/process/workplace.ts'
import { fencedBlocks } from './markdown.ts'

/** What a page calls the working folder. */
const shownFolder = '/srv/app'

/**
 * A process loads a file once: when the page changes one, its application goes on in a copy of the folder.
 * @param other what happens to blocks of other languages
 * @returns the folder of the application
 */
export async function runShownApplication(
  place: Workplace,
  page: string,
  other: (language: string, text: string, folder: string) => void = () => undefined,
): Promise<string> {
  let number = 1
  let isLoaded = false
  const folder = () => join(place.folder, `application-${number}`)
  for (const { language, text } of fencedBlocks(page)) {
    if (language === 'ts') {
      if (isLoaded) cpSync(folder(), join(place.folder, `application-${++number}`), { recursive: true })
      isLoaded = false
      writeShown(folder(), text)
    } else if (language === 'console') {
      isLoaded = true
      await runShown(place, folder(), text)
    } else other(language, text, folder())
  }
  return folder()
}

/** Its first line names the file. */
function writeShown(folder: string, text: string): void {
  const [, file = '', rest = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? []
  assert.ok(file, text)
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), rest.replace("'tenantry'", `'${ownEntry}'`))
}

/**
 * The number of the built-in migrations differs from version to version, and only in a checkout the package has to be
 * packed first.
 */
async function runShown(place: Workplace, folder: string, text: string): Promise<void> {
  const comparable = (output: string) =>
    output
      .replaceAll(/\d+ migrations/g, 'n migrations')
      .replaceAll(folder, shownFolder)
      .replace(/^ {2}npm pack .*\n/m, '')
  for (const part of text.split(/^\$ npx tenantry /m).slice(1)) {
    const [call = '', ...output] = part.split('\n')
    const { stdout, stderr } = await place.run(call.split(' '), { folder })
    assert.equal(comparable(`${stdout}${stderr}`), comparable(output.join('\n')), call)
  }
}
