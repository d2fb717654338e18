/** Every command of the README is run, in its order, and prints what the README shows. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { help } from '../../src/cli/help.ts'
import { triesAll } from '../support/run/extent.ts'
import { type Block, codeSpans, fencedBlocks, readDocument, root } from './markdown.ts'
import { assertAmong, assertShown } from './output.ts'
import { Program } from './program.ts'
import { copyProject, newcomersEnvironment, Terminal, withShortNpx } from './terminal.ts'

/** The first is run on its own, the second is running. */
const start = 'npm ci && npm start'
const gate = 'npm ci && npm test'

const shownAddress = 'localhost:3000'
const readme = readDocument('README.md')
const blocks = fencedBlocks(readme)
const commands = blocks.filter(({ language }) => language === 'sh')

describe('the README', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-readme-'))
  const project = join(folder, 'tenantry')
  let service: Program
  let terminal: Terminal
  let address = ''

  before(async () => {
    copyProject(project)
    const env = newcomersEnvironment(join(folder, 'npm'))
    service = new Program('npm', ['start'], { cwd: project, env: { ...env, PORT: '0' } })
    const [, port] = await service.waitFor(/first-admin[\s\S]*localhost:(\d+)/)
    address = `localhost:${port}`
    const found = triesAll ? env : withShortNpx(env, project, join(folder, 'bin'))
    terminal = new Terminal(project, found, join(folder, 'block.sh'))
  })
  after(async () => {
    await terminal?.close()
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('shows nothing but commands, and behind a command what it prints', () => {
    const others = blocks.filter(({ language }) => !['sh', 'json', 'text'].includes(language))
    assert.deepEqual(others, [])
    const outputs = blocks.filter(({ language }) => language !== 'sh')
    const stray = outputs.filter((output) => blocks[blocks.indexOf(output) - 1]?.language !== 'sh')
    assert.deepEqual(stray, [])
  })

  test('has the two commands, for what the package offers', () => {
    const { scripts } = JSON.parse(readDocument('package.json'))
    assert.ok(existsSync(join(root, 'package-lock.json')), 'npm ci needs a lock file')
    assert.equal(typeof scripts.start, 'string')
    assert.equal(typeof scripts.test, 'string')
    for (const command of [start, gate]) {
      assert.ok(
        commands.some(({ text }) => text.trim() === command),
        command,
      )
    }
  })

  test('names no command in its prose that is not run', () => {
    const run = [...commands.map(({ text }) => text), 'npx tenantry --help'].join('\n')
    const named = codeSpans(readme).filter((text) => /^(npm|npx|curl|node|docker|git) /.test(text))
    assert.deepEqual(
      named.filter((text) => !run.includes(text)),
      [],
    )
  })

  test('says truly that the help lists the commands', () => {
    assert.match(help([]), /^ {2}tenant list /m)
  })

  for (const block of commands) {
    const command = block.text.trim()
    if (command === gate) continue
    const [firstLine] = command.split('\n')
    test(`line ${block.line}: ${firstLine}`, async () => {
      const shown = outputOf(block)
      if (command === start) {
        assertAmong(shown, service.output.replaceAll(address, shownAddress))
        return
      }
      const { output, complaints, status } = await terminal.run(block.text.replaceAll(shownAddress, address))
      assert.equal(status, 0, complaints)
      assertShown(shown, output.replaceAll(address, shownAddress))
    })
  }
})

function outputOf(command: Block): Block {
  const next = blocks[blocks.indexOf(command) + 1]
  return next === undefined || next.language === 'sh' ? { language: 'text', text: '', line: 0 } : next
}
