/** The control over a cell while its value is changed: Enter and Tab save, Escape restores the former value. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Popover } from '../component/popover.tsx'
import { type EntityDescription, labelOf, wordOf, wordsOf } from '../describe.ts'
import { text } from '../text/text.ts'
import type { CellEditing, EditedCell } from './cell-editing.ts'
import { FieldInput } from './field-input.tsx'
import { toneOf } from './tone.ts'

interface EditorProps {
  entity: EntityDescription
  cell: EditedCell
  anchor: Element
  editing: CellEditing
  /** Whether it is shown beside the element to which it belongs, instead of over it. */
  isBeside?: boolean
  /** Called after the Tab key, to move to the next cell (1) or to the one before (-1). */
  onLeave: (step: 1 | -1) => void
}

const id = 'cell-editor'

export function CellEditor({ entity, cell, anchor, editing, isBeside = false, onLeave }: EditorProps) {
  const { field, fault } = cell
  const [value, setValue] = useState(cell.value)
  const latest = useRef(value)
  latest.current = value
  const isLeft = useRef(false)
  const leave = (act: () => void) => {
    if (isLeft.current) return
    isLeft.current = true
    act()
  }
  const save = () => leave(() => editing.save(latest.current ?? null))
  const isList = field.kind === 'enum'
  // A word is chosen by a click on it, so a click outside cancels. Any other typed value is saved by a click outside.
  const close = () => (isList ? leave(editing.cancel) : save())
  const box = useRef<HTMLDivElement>(null)
  // The focus moves before the next key is pressed: that key is for the control.
  useLayoutEffect(() => {
    const control = box.current?.querySelector<HTMLElement>('[role=listbox], input, textarea, select')
    control?.focus()
    if (control instanceof HTMLInputElement && control.type === 'text') control.select()
  }, [])
  const press = (event: KeyboardEvent) => {
    event.stopPropagation()
    const isLine = !(event.target instanceof HTMLTextAreaElement) || event.ctrlKey || event.metaKey
    if (event.key === 'Escape') leave(editing.cancel)
    else if (event.key === 'Enter' && isLine && !event.defaultPrevented) save()
    else if (event.key === 'Tab') {
      const step = event.shiftKey ? -1 : 1
      if (!selectBeside(box.current, event.target, step)) {
        save()
        onLeave(step)
      }
    } else return
    event.preventDefault()
  }
  return (
    <Popover
      anchor={anchor}
      label={labelOf(field)}
      onClose={close}
      class="cell-editor"
      isOver={!isList && !isBeside}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the control inside */}
      <div ref={box} onKeyDown={press}>
        {isList ? (
          <WordList entity={entity} cell={cell} choose={(word) => leave(() => editing.save(word))} />
        ) : (
          <FieldInput
            field={field}
            control={{ id, 'aria-label': labelOf(field), ...described(fault) }}
            value={value}
            onChange={(next) => {
              latest.current = next
              setValue(next)
              if (field.kind === 'reference') save()
            }}
          />
        )}
        {fault !== null && (
          <p class="fault" id={`${id}-fault`} role="alert">
            {fault}
          </p>
        )}
      </div>
    </Popover>
  )
}

/** Moves the focus to the input beside this one, such as from a day to its time. @returns whether there is one */
function selectBeside(box: Element | null, from: EventTarget | null, step: 1 | -1): boolean {
  const inputs: (EventTarget | null)[] = [...(box?.querySelectorAll('input') ?? [])]
  const beside = inputs[inputs.indexOf(from) + step]
  if (!(beside instanceof HTMLInputElement)) return false
  beside.select()
  return true
}

function described(fault: string | null) {
  return fault === null ? {} : ({ 'aria-describedby': `${id}-fault`, 'aria-invalid': true } as const)
}

interface WordListProps {
  entity: EntityDescription
  cell: EditedCell
  choose: (word: string | null) => void
}

function WordList({ entity, cell: { field, value }, choose }: WordListProps) {
  const words: readonly (string | null)[] = [...wordsOf(field), ...(field.isNullable ? [null] : [])]
  const [active, setActive] = useState(Math.max(0, words.indexOf(typeof value === 'string' ? value : null)))
  const labels = words.map((word) => (word === null ? '' : wordOf(field, word)))
  const press = (event: KeyboardEvent) => {
    const next = movedWord(event.key, active, words.length) ?? typedWord(event.key, active, labels)
    if (event.key === 'Enter' || event.key === ' ') choose(words[active] ?? null)
    else if (next !== null) setActive(next)
    else return
    event.preventDefault()
  }
  return (
    <div
      role="listbox"
      tabIndex={0}
      aria-label={labelOf(field)}
      aria-activedescendant={`${id}-${active}`}
      class="word-list"
      onKeyDown={press}
    >
      {words.map((word, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
        <div
          key={word}
          role="option"
          id={`${id}-${index}`}
          aria-selected={index === active}
          onClick={() => choose(word)}
        >
          {word === null ? (
            <span class="soft">{text.state.none}</span>
          ) : (
            <span class={`badge ${toneOf(entity, field, word)}`}>{wordOf(field, word)}</span>
          )}
        </div>
      ))}
    </div>
  )
}

function movedWord(key: string, active: number, count: number): number | null {
  const places: Readonly<Record<string, number>> = {
    ArrowDown: (active + 1) % count,
    ArrowUp: (active + count - 1) % count,
    Home: 0,
    End: count - 1,
  }
  return places[key] ?? null
}

/** @returns the index of the next word that begins with the letter */
function typedWord(key: string, active: number, labels: readonly string[]): number | null {
  if (key.length !== 1) return null
  const isMatching = (label: string) => label.toLowerCase().startsWith(key.toLowerCase())
  const after = labels.findIndex((label, index) => index > active && isMatching(label))
  const found = after === -1 ? labels.findIndex(isMatching) : after
  return found === -1 ? null : found
}
