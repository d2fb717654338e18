/** A rule of the project: the whole source keeps it, and it is shown to refuse what it is there to refuse. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse, type Source, sourcesIn } from '../support/source.ts'

export interface Finding {
  line: number
  text: string
}

export type Rule = (source: Source) => Finding[]

/** Path and text of a file that the project might have. */
export type Sample = readonly [path: string, text: string]

interface Examples {
  folders: readonly string[]
  refuses: Record<string, Sample>
  allows: Record<string, Sample>
}

export function testRule(name: string, rule: Rule, { folders, refuses, allows }: Examples): void {
  describe(name, () => {
    test(`${name}, in the whole project`, () => {
      const sources = sourcesIn(...folders)
      assert.notEqual(sources.length, 0)
      const found = sources.flatMap((source) =>
        rule(source).map(({ line, text }) => `${source.path}:${line} ${text}`),
      )
      assert.deepEqual(found, [])
    })
    for (const [title, sample] of Object.entries(refuses)) {
      test(`refuses ${title}`, () => assert.notDeepEqual(rule(parse(...sample)), []))
    }
    for (const [title, sample] of Object.entries(allows)) {
      test(`allows ${title}`, () => assert.deepEqual(rule(parse(...sample)), []))
    }
  })
}
