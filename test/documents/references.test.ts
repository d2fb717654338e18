/** What the documents point at is there: files, headings, scripts. */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { dirname, posix, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { anchorsOf, codeSpans, documents, linkTargets, readDocument, root } from './markdown.ts'

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readDocument('package.json'))

describe('the documents', () => {
  test('are found', () => assert.ok(documents.includes('README.md') && documents.includes('docs/api.md')))

  for (const path of documents) {
    test(`${path} points at what is there`, () => {
      assert.deepEqual(deadReferences(path, readDocument(path)), [])
    })
  }

  test('may not point at what is not there', () => {
    const text =
      '# Here\n[a](no.md) [b](#there) [c](../README.md#nowhere) `src/no.ts` `npm run no` ' +
      '[d](#here) [e](https://example.com/) `src/service/service.ts` `npm test` `src` `test/**/no/*.ts`\n' +
      '```sh\nnpm run neither\n```\n'
    assert.deepEqual(deadReferences('docs/api.md', text), [
      'no.md',
      '#there',
      '../README.md#nowhere',
      'src/no.ts',
      'test/**/no/*.ts',
      'npm run no',
      'npm run neither',
    ])
  })
})

function deadReferences(path: string, text: string): string[] {
  const links = linkTargets(text).filter((target) => !/^https?:/.test(target))
  const files = codeSpans(text).filter((span) =>
    /^(src|test|docs|bin|bench|examples|assets)(\/\S*)?$/.test(span),
  )
  const runs = [...text.matchAll(/npm run ([\w-]+)/g)]
  return [
    ...links.filter((target) => !tenantExists(path, text, target)),
    ...files.filter((file) => globSync(file, { cwd: root }).length === 0),
    ...runs.filter(([, name = '']) => !(name in scripts)).map(([command]) => command),
  ]
}

function tenantExists(path: string, text: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const other = posix.join(dirname(path), file)
  if (file !== '' && !existsSync(resolve(root, other))) return false
  return anchor === undefined || anchorsOf(file === '' ? text : readDocument(other)).includes(anchor)
}
