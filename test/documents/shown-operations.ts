/** The operations that the documents show, each with its variables and with what it is answered. */
import assert from 'node:assert/strict'
import { type Block, fencedBlocks, readDocument } from './markdown.ts'

export interface ShownOperation {
  /** `README.md:132` for the block that it is in. */
  place: string
  query: string
  variables: Record<string, unknown>
  data: unknown
}

/** A line of a shell: `graphql '{ products { name } }'` */
const command = /^graphql '([^']+)'$/gm

/** In their order: what one makes the next one finds. */
export function operationsOfReadme(): ShownOperation[] {
  const page = 'README.md'
  const blocks = fencedBlocks(readDocument(page))
  return blocks.flatMap((block, index) => {
    if (block.language !== 'sh') return []
    assert.doesNotMatch(block.text.replaceAll(command, ''), /^graphql\s|[;|&]\s*graphql\s|"query"/m)
    const queries = [...block.text.matchAll(command)].map(([, query = '']) => query)
    const lines = (blocks[index + 1]?.text ?? '').split('\n')
    const answers = lines.filter((line) => line.startsWith('{"data":'))
    return queries.map((query, place) => operation(page, block, { query, answer: answers[place] ?? '' }))
  })
}

/** Each is a block of its own, with a block of JSON behind it. */
export function operationsOfGateway(): ShownOperation[] {
  const path = 'docs/graphql.md'
  const page = readDocument(path)
  const blocks = fencedBlocks(page)
  return blocks.flatMap((block, index) => {
    if (block.language !== 'graphql') return []
    const answer = blocks[index + 1]?.text ?? ''
    const [between = ''] = page.slice(page.indexOf(block.text) + block.text.length).split(answer)
    const [, variables = '{}'] = /With the variables `(.*)`/.exec(between) ?? []
    return [operation(path, block, { query: block.text, answer, variables })]
  })
}

function operation(
  page: string,
  { line }: Block,
  { query, answer, variables = '{}' }: { query: string; answer: string; variables?: string },
): ShownOperation {
  const place = `${page}:${line}`
  assert.notEqual(answer, '', `${place} does not show what is answered to ${query}`)
  return { place, query, variables: JSON.parse(variables), data: JSON.parse(answer).data }
}
