/** Parses a document. Its size is checked first: parsing is recursive, and validation costs several times as much. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  parse,
  Source,
  TokenKind,
} from 'graphql'
import { codes, refuse } from '../error.ts'
import { refuseTooManyNodes } from './count.ts'
import type { Limits } from './limits.ts'

export interface ParsedDocument {
  document: DocumentNode
  operations: readonly OperationDefinitionNode[]
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
}

/** @throws GraphQLError for an invalid or too large document */
export function parseDocument(text: string, limits: Limits): ParsedDocument {
  try {
    refuseLongText(text, limits)
    const document = parse(text)
    refuseTooManyNodes(document, limits)
    const { definitions } = document
    const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
    return { document, operations, fragments: new Map(fragments.map((node) => [node.name.value, node])) }
  } catch (error) {
    if (!(error instanceof GraphQLError) || error.extensions['code'] !== undefined) throw error
    const { message, source, positions } = error
    throw new GraphQLError(message, { source, positions, extensions: { code: codes.syntax } })
  }
}

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/** What the library counts as line breaks. For each fault it counts them from the start of the text, so they are bounded. */
const lineBreaks = /\r\n|[\n\r]/g

function refuseLongText(text: string, limits: Limits): void {
  if (text.length > limits.characters) {
    throw refuse('cost', `A document may have at most ${limits.characters} characters.`)
  }
  let lines = 1
  for (const _each of text.matchAll(lineBreaks)) {
    if (++lines > limits.lines) throw refuse('cost', `A document may have at most ${limits.lines} lines.`)
  }
  refuseTooManyTokens(text, limits)
}

function refuseTooManyTokens(text: string, limits: Limits): void {
  const lexer = new Lexer(new Source(text))
  let depth = 0
  let tokens = 0
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (++tokens > limits.tokens) throw refuse('cost', `A document may have at most ${limits.tokens} tokens.`)
    if (opening.has(token.kind)) depth++
    else if (closing.has(token.kind)) depth--
    if (depth > limits.nesting)
      throw refuse('cost', `A document may be nested at most ${limits.nesting} levels deep.`)
  }
}
