/** What the documents refer to exists: files, headings, scripts; and an index leads to every page. */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { dirname, posix, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { anchorsOf, codeSpans, documents, linkTargets, readDocument, root } from './markdown.ts'

interface Manifest {
  scripts: Record<string, string>
  dependencies: Record<string, string>
}

const { scripts, dependencies }: Manifest = JSON.parse(readDocument('package.json'))

const sources = globSync('{src,test,bench,build,bin,examples,assets}/**/*.{ts,js,mjs,c}', { cwd: root })

describe('the documents', () => {
  test('are found', () =>
    assert.ok(documents.includes('README.md') && documents.includes('docs/api/overview.md')))

  for (const path of documents) {
    test(`${path} refers to what exists`, () => {
      const dead = deadReferences(path, readDocument(path))
      assert.deepEqual(dead, [], `nothing has these names: mend them in ${path}`)
    })
  }

  test('may not refer to what does not exist', () => {
    const text =
      '# Here\n[a](no.md) [b](#there) [c](../../README.md#nowhere) `src/no.ts` `npm run no` ' +
      '[d](#here) [e](https://example.com/) `src/service/service.ts` `npm test` `src` `test/**/no/*.ts` ' +
      '[f](folder-of-nobody/) `nowhere/service.ts` `service/service.ts` `service.ts` `src/service/no.ts`\n' +
      '```sh\nnpm run neither\n```\n'
    assert.deepEqual(deadReferences('docs/api/page.md', text), [
      'no.md',
      '#there',
      '../../README.md#nowhere',
      'folder-of-nobody/',
      'src/no.ts',
      'test/**/no/*.ts',
      'src/service/no.ts',
      'nowhere/service.ts',
      'npm run no',
      'npm run neither',
    ])
  })
})

describe('the index', () => {
  const pages = documents.filter((path) => path.startsWith('docs/'))

  test('leads to every page', () => {
    assert.deepEqual(unlisted(pages, readDocument), [], 'write links to these into docs/README.md')
  })

  test('may not leave out a page', () => {
    const texts: Record<string, string> = {
      'docs/README.md': '[a](a.md) [b](b/README.md) `c.md`',
      'docs/b/README.md': '[d](d.md#below)',
    }
    const found = [
      'docs/README.md',
      'docs/a.md',
      'docs/c.md',
      'docs/b/README.md',
      'docs/b/d.md',
      'docs/b/e.md',
    ]
    assert.deepEqual(
      unlisted(found, (path) => texts[path] ?? ''),
      ['docs/c.md', 'docs/b/e.md'],
    )
  })
})

/** The index is `docs/README.md`; a folder may have a part of it in a README of its own. */
function unlisted(pages: readonly string[], read: (path: string) => string): string[] {
  const indexes = pages.filter((path) => posix.basename(path) === 'README.md')
  const listed = new Set(
    indexes.flatMap((index) =>
      linkTargets(read(index)).map((target) => posix.join(dirname(index), target.replace(/#.*/, ''))),
    ),
  )
  return pages.filter((page) => page !== 'docs/README.md' && !listed.has(page))
}

function deadReferences(path: string, text: string): string[] {
  const links = linkTargets(text).filter((target) => !/^(https?|mailto):/.test(target))
  const spans = codeSpans(text)
  const paths = spans.filter((span) => /^(src|test|docs|bin|bench|examples|assets)(\/\S*)?$/.test(span))
  const runs = [...text.matchAll(/npm run ([\w-]+)/g)]
  return [
    ...links.filter((target) => !isThere(path, text, target)),
    ...paths.filter((span) => globSync(span, { cwd: root }).length === 0),
    ...spans.filter((span) => !paths.includes(span) && isFileName(span) && !isSource(span)),
    ...runs.filter(([, name = '']) => !(name in scripts)).map(([command]) => command),
  ]
}

/** A source named by the end of its path: `product/sql.ts`, `sql.ts`. */
function isFileName(span: string): boolean {
  return /^[\w-]+(\/[\w.-]+)*\.(ts|js|mjs)$/.test(span) && !(span in dependencies)
}

function isSource(span: string): boolean {
  return sources.some((source) => source === span || source.endsWith(`/${span}`))
}

function isThere(path: string, text: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const other = posix.join(dirname(path), file)
  if (file !== '' && !existsSync(resolve(root, other))) return false
  return anchor === undefined || anchorsOf(file === '' ? text : readDocument(other)).includes(anchor)
}
