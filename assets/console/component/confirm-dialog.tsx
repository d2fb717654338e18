/** Asks the user by a dialog in the page: browsers do not let an embedded page open `confirm`. */
import { type ComponentChildren, render, type VNode } from 'preact'
import { useState } from 'preact/hooks'
import { text } from '../text/text.ts'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'

interface Question {
  title: string
  /** The consequences, with numbers. */
  detail?: ComponentChildren
  /** The text of the button that agrees. */
  verb: ComponentChildren
  kind?: 'main' | 'danger'
  /** A text that the user has to type first, for actions that cannot be undone. */
  typed?: string
}

/** @returns whether the user has agreed */
export async function confirmed(question: Question): Promise<boolean> {
  const { verb, kind = 'main' } = question
  const answer = await choose({ ...question, choices: [{ value: 'agreed', label: verb, kind }] })
  return answer === 'agreed'
}

interface Choice<V> {
  value: V
  label: ComponentChildren
  kind?: 'main' | 'danger'
}

interface ChoiceQuestion<V> extends Omit<Question, 'verb' | 'kind'> {
  choices: readonly Choice<V>[]
  /** The text of the button that changes nothing. */
  cancel?: string
}

/** @returns the chosen value; `null` if the dialog was closed */
export function choose<V extends string>(question: ChoiceQuestion<V>): Promise<V | null> {
  return asked((answer) => <ChoiceDialog question={question} onAnswer={answer} />)
}

/** Shows a dialog until it is answered. */
export function asked<T>(dialog: (answer: (value: T | null) => void) => VNode): Promise<T | null> {
  const place = document.body.appendChild(document.createElement('div'))
  return new Promise((resolve) => {
    const answer = (value: T | null) => {
      render(null, place)
      place.remove()
      resolve(value)
    }
    render(dialog(answer), place)
  })
}

interface ChoiceDialogProps<V> {
  question: ChoiceQuestion<V>
  onAnswer: (value: V | null) => void
}

function ChoiceDialog<V extends string>({ question, onAnswer }: ChoiceDialogProps<V>) {
  const { title, detail, choices, typed, cancel = text.action.cancel } = question
  const [words, setWords] = useState('')
  const isDisabled = typed !== undefined && words.trim() !== typed
  return (
    <Dialog title={title} role="alertdialog" onClose={() => onAnswer(null)}>
      {detail !== undefined && <p class="soft wrap">{detail}</p>}
      {typed !== undefined && (
        <Field label={text.form.typeName(typed)}>
          {(control) => (
            <input
              {...control}
              autocomplete="off"
              value={words}
              onInput={({ currentTarget }) => setWords(currentTarget.value)}
            />
          )}
        </Field>
      )}
      <div class="dialog-foot">
        <button type="button" onClick={() => onAnswer(null)}>
          {cancel}
        </button>
        {choices.map(({ value, label, kind }) => (
          <button
            type="button"
            key={value}
            class={kind}
            disabled={isDisabled}
            onClick={() => onAnswer(value)}
          >
            {label}
          </button>
        ))}
      </div>
    </Dialog>
  )
}
