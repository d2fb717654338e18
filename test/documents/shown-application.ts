/** An application that a page shows: its files are written, and its commands are run, in the order of the page. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { entry } from '../database/schema/application.ts'
import type { Workplace } from '../support/process/workplace.ts'
import { fencedBlocks } from './markdown.ts'

/** The folder that a page calls the working folder is this one. */
const shownFolder = '/srv/app'

/** @param other what happens to blocks of other languages */
export async function runShownApplication(
  place: Workplace,
  page: string,
  other: (language: string, text: string) => void = () => undefined,
): Promise<void> {
  for (const { language, text } of fencedBlocks(page)) {
    if (language === 'ts') writeShown(place.folder, text)
    else if (language === 'console') await runShown(place, text)
    else other(language, text)
  }
}

/** Its first line names the file. */
function writeShown(folder: string, text: string): void {
  const [, file = '', rest = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? []
  assert.ok(file, text)
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), rest.replace("'tenantry'", `'${entry}'`))
}

/** The number of the built-in migrations differs from version to version. */
async function runShown(place: Workplace, text: string): Promise<void> {
  const comparable = (output: string) =>
    output.replaceAll(/\d+ migrations/g, 'n migrations').replaceAll(place.folder, shownFolder)
  for (const part of text.split(/^\$ npx tenantry /m).slice(1)) {
    const [call = '', ...output] = part.split('\n')
    const { stdout, stderr } = await place.run(call.split(' '))
    assert.equal(comparable(`${stdout}${stderr}`), comparable(output.join('\n')), call)
  }
}
