/** A rule of the project: the whole source keeps it, and it is shown to refuse what it is there to refuse. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { VisitorObject } from 'oxc-parser'
import { parse, pathsIn, readSource, type Source } from '../support/source.ts'

/** @param start offset of what breaks the rule */
export type Report = (start: number, text: string) => void

/** Path and text of a file that the project might have. */
export type Sample = readonly [path: string, text: string]

export interface Rule {
  name: string
  /** What to do about a finding. */
  mend: string
  folders: readonly string[]
  /** @returns what looks at the syntax of the file, or nothing where that cannot break the rule */
  check(source: Source, report: Report): VisitorObject | undefined
  refuses: Record<string, Sample>
  allows: Record<string, Sample>
}

/** Declares the tests of the rules. Each file of the project is read, parsed and walked once for all of them. */
export function testRules(rules: readonly Rule[]): void {
  let project: Map<Rule, string[]> | undefined
  for (const rule of rules) {
    describe(rule.name, () => {
      test(`${rule.name}, in the whole project`, () => {
        project ??= findInProject(rules)
        const found = project.get(rule)
        assert.ok(found !== undefined, 'the rule looks at no file')
        assert.ok(found.length === 0, [...found, `→ ${rule.mend}`].join('\n'))
      })
      for (const [title, sample] of Object.entries(rule.refuses)) {
        test(`refuses ${title}`, () => assert.notDeepEqual(findInSample(rule, sample), []))
      }
      for (const [title, sample] of Object.entries(rule.allows)) {
        test(`allows ${title}`, () => assert.deepEqual(findInSample(rule, sample), []))
      }
    })
  }
}

/** @returns the findings of each rule that applies to any file */
function findInProject(rules: readonly Rule[]): Map<Rule, string[]> {
  const found = new Map<Rule, string[]>()
  const folders = new Set(rules.flatMap((rule) => rule.folders))
  for (const path of new Set(pathsIn(...folders))) {
    const applying = rules.filter((rule) => rule.folders.some((folder) => path.startsWith(`${folder}/`)))
    for (const [rule, findings] of findIn(readSource(path), applying))
      found.set(rule, [...(found.get(rule) ?? []), ...findings])
  }
  return found
}

function findInSample(rule: Rule, [path, text]: Sample): string[] {
  return findIn(parse(path, text), [rule]).get(rule) ?? []
}

function findIn(source: Source, rules: readonly Rule[]): Map<Rule, string[]> {
  const found = new Map<Rule, string[]>()
  const visitors = rules.flatMap((rule) => {
    const findings: string[] = []
    found.set(rule, findings)
    const report: Report = (start, text) => {
      findings.push(`${source.path}:${source.lineAt(start)} ${text}`)
    }
    return rule.check(source, report) ?? []
  })
  if (visitors.length > 0) source.visit(joinVisitors(visitors))
  return found
}

/** @returns one that does what each of them does */
function joinVisitors(visitors: readonly VisitorObject[]): VisitorObject {
  const handlers = new Map<string, ((node: never) => void)[]>()
  for (const visitor of visitors) {
    for (const [name, handle] of Object.entries(visitor))
      handlers.set(name, [...(handlers.get(name) ?? []), handle])
  }
  const joined = [...handlers].map(([name, each]) => {
    const handleAll = (node: never): void => {
      for (const handle of each) handle(node)
    }
    return [name, handleAll]
  })
  // Each function stands under the name that it had, and gets the same nodes.
  return Object.fromEntries(joined) as VisitorObject
}
