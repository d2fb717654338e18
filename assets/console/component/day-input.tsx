/**
 * Inputs of days and moments in the language of the console. Native controls of browsers use the language of the
 * browser instead.
 */
import { Calendar } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { localTime } from '../relative-time.ts'
import { language, text } from '../text/text.ts'
import { DayPicker, today } from './day-picker.tsx'
import { dayIn, dayText, isDay, timeIn } from './day-text.ts'
import type { ControlProps } from './field.tsx'
import { Icon } from './icon.tsx'
import { useTyped } from './typed.ts'

interface InputProps {
  control: ControlProps
  /** The value. A text that is not a day or moment stays as it was typed, and the service refuses it. */
  value: string
  onChange: (value: string) => void
}

/** @param value such as `2026-01-31` */
export function DayInput({ control, value, onChange }: InputProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { forget, ...typed } = useTyped({
    value,
    show: (day) => dayText(day, language),
    read: (words) => dayIn(words, language, today()) ?? words,
    onChange,
  })
  return (
    <span class="picked-day">
      <input
        {...control}
        {...typed}
        ref={input}
        type="text"
        inputMode="numeric"
        autocomplete="off"
        placeholder={text.form.dayPattern}
        onBlur={forget}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      />
      <button
        type="button"
        class="only-icon"
        aria-haspopup="dialog"
        aria-label={text.form.chooseDay}
        // The press must not take the focus from the calendar, which would close, and open again by the click.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon node={Calendar} />
      </button>
      {isOpen && (
        <DayPicker
          anchor={input.current}
          value={value}
          onPick={(day) => {
            onChange(day)
            setOpen(false)
            input.current?.focus()
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  )
}

/** An input of a day and a time, which shows their time zone. @param value such as `2026-01-31T09:30:00.000Z` */
export function MomentInput({ control, value, onChange }: InputProps) {
  const [day = '', time = ''] = localParts(value)
  const change = (nextDay: string, nextTime: string) => onChange(momentOf(nextDay, nextTime))
  const { forget, ...typed } = useTyped({
    value: time,
    show: (shown) => shown,
    read: (words) => timeIn(words) ?? words,
    onChange: (next) => change(day, next),
  })
  return (
    <span class="picked-moment">
      <DayInput
        control={control}
        value={day}
        onChange={(next) => change(next, time === '' && isDay(next) ? '00:00' : time)}
      />
      <input
        {...typed}
        type="text"
        inputMode="numeric"
        autocomplete="off"
        aria-label={text.form.time}
        onBlur={forget}
      />
      <span class="hint">{Intl.DateTimeFormat().resolvedOptions().timeZone}</span>
    </span>
  )
}

/** @returns day and time of the moment; of a text that is not a moment, the two parts as they were typed */
function localParts(value: string): string[] {
  const moment = new Date(/^\d{4}-.*Z$/.test(value) ? value : Number.NaN)
  return (Number.isNaN(moment.getTime()) ? value : localTime(moment)).split(/T(?=[^T]*$)/)
}

function momentOf(day: string, time: string): string {
  if (isDay(day) && timeIn(time) === time) return new Date(`${day}T${time}`).toISOString()
  return day === '' && time === '' ? '' : `${day}T${time}`
}
