/** Chooses the events of a subscription from the catalogue of the service, or by a typed pattern such as `order.*`. */
import { useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { useUniqueId } from '../../component/unique-id.ts'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import type { EventType } from './types.ts'

interface ChoiceProps {
  events: readonly string[]
  fault: string | null
  hint?: string
  isRequired?: boolean
  onChange: (events: readonly string[]) => void
}

const { subscription } = text.webhook

export function EventChoice({
  events,
  fault,
  hint = subscription.eventsHint,
  isRequired = true,
  onChange,
}: ChoiceProps) {
  const { can, portal } = useApp()
  const allowed = portal?.events ?? null
  const { data } = useLoaded<readonly EventType[]>('event-types', (signal) =>
    can('event:read') ? get('/api/webhooks/event-types', { signal }) : Promise.resolve([]),
  )
  const types = (data ?? []).filter(({ type }) => isAllowed(allowed, type))
  const id = useUniqueId()
  const set = (name: string, isChosen: boolean) =>
    onChange(isChosen ? [...new Set([...events, name])] : events.filter((each) => each !== name))
  return (
    <fieldset class="plain stack" aria-describedby={`${id}-hint ${id}-fault`}>
      <legend class="label">
        {subscription.events} {!isRequired && <span class="optional">{text.form.optional}</span>}
      </legend>
      <span class="soft" id={`${id}-hint`}>
        {hint}
      </span>
      {events.length > 0 && (
        <div class="row">
          {events.map((name) => (
            <span class="chip" key={name}>
              <code>{name}</code>
              <button
                type="button"
                aria-label={subscription.removeEvent(name)}
                onClick={() => set(name, false)}
              >
                ×
              </button>
            </span>
          ))}
        </div>
      )}
      {fault !== null && (
        <div class="field">
          <span class="fault" id={`${id}-fault`}>
            {fault}
          </span>
        </div>
      )}
      {allowed?.length !== 0 && <Pattern onAdd={(name) => set(name, true)} />}
      {types.length > 0 && (
        <div class="choices">
          {types.map(({ type, summary }) => (
            <label key={type}>
              <input
                type="checkbox"
                checked={events.includes(type)}
                onChange={(event) => set(type, event.currentTarget.checked)}
              />
              <span>
                <code>{type}</code> <span class="soft">{summary}</span>
              </span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}

/** Whether the patterns allow the event, by the same rule as in the service. */
function isAllowed(patterns: readonly string[] | null, type: string): boolean {
  return patterns === null || ['*', type, `${type.split('.')[0]}.*`].some((each) => patterns.includes(each))
}

function Pattern({ onAdd }: { onAdd: (name: string) => void }) {
  const id = useUniqueId()
  const [typed, setTyped] = useState('')
  const add = () => {
    if (typed.trim() !== '') onAdd(typed.trim())
    setTyped('')
  }
  return (
    <div class="field">
      <label for={id}>{subscription.pattern}</label>
      <div class="row">
        <input
          id={id}
          class="grow"
          placeholder={'order.*'}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <button type="button" onClick={add}>
          {text.action.add}
        </button>
      </div>
    </div>
  )
}
