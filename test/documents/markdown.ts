/** The documents of the project, taken apart far enough to hold them against the code. */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

export interface Block {
  /** The word after the fence, e.g. `sh`. */
  language: string
  text: string
  /** Of the opening fence, from 1. */
  line: number
}

/** Paths from the root of the project, e.g. `docs/api/overview.md`. */
export const documents = globSync(['*.md', '{docs,src,assets}/**/*.md'], { cwd: root }).toSorted()

export function readDocument(path: string): string {
  return readFileSync(resolve(root, path), 'utf8')
}

export function fencedBlocks(markdown: string): Block[] {
  const fences = markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)
  return [...fences].map(({ 1: language = '', 2: text = '', index }) => ({
    language,
    text,
    line: markdown.slice(0, index).split('\n').length,
  }))
}

/** The text outside fenced blocks. */
export function proseOf(markdown: string): string {
  return markdown.replaceAll(/^```\w*\n[\s\S]*?^```$/gm, '')
}

/** The prose in one line: how it is wrapped does not matter. */
export function textOf(markdown: string): string {
  return proseOf(markdown).replaceAll(/\s+/g, ' ')
}

/** What stands between backticks in the prose. */
export function codeSpans(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
}

export function linkTargets(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** The anchors that headings get where Markdown is shown. */
export function anchorsOf(markdown: string): string[] {
  const headings = proseOf(markdown).matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The cells of each row of the table under a heading, its head left out. */
export function tableUnder(markdown: string, heading: string): string[][] {
  const section = markdown.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}
