/** A badge for a status of the service, such as `FAILED`: its word in the user's language, and a colour. */
import type { ComponentChildren } from 'preact'
import { text } from '../text/text.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'info'

const tones: Readonly<Record<Tone, readonly string[]>> = {
  good: ['SUCCEEDED', 'SENT', 'DONE', 'ACTIVE', 'VERIFIED'],
  warn: ['FAILING', 'KEPT'],
  bad: ['DEAD', 'FAILED', 'FORBIDDEN', 'UNHANDLED', 'LOOPED', 'DEACTIVATED'],
  info: ['RUNNING', 'SENDING'],
}

export function StatusBadge({ word }: { word: string }) {
  return <Badge tone={statusTone(word)}>{statusLabel(word)}</Badge>
}

export function Badge({ tone, children }: { tone?: Tone | undefined; children: ComponentChildren }) {
  return <span class={tone === undefined ? 'badge' : `badge ${tone}`}>{children}</span>
}

/** @returns the tone of a status; `undefined` for one that the console does not know */
export function statusTone(word: string): Tone | undefined {
  return (Object.keys(tones) as Tone[]).find((tone) => tones[tone].includes(word)) // its own keys
}

/** The words of a filter, with their labels. */
export function statusChoices(words: readonly string[]): (readonly [word: string, label: string])[] {
  return words.map((word) => [word, statusLabel(word)])
}

function statusLabel(word: string): string {
  return text.webhook.statuses[word] ?? word
}
