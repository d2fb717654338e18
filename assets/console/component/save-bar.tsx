/** The bar that saves a form: it stays visible while the form scrolls, says what is changed, and handles the keys. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { text } from '../text/text.ts'

interface SaveBarProps {
  /** The labels of the changed members. */
  changed: readonly string[]
  button: string
  isBusy: boolean
  onDiscard: () => void
  discard?: string
  /** @param stays whether the form is to stay open */
  save: (stays: boolean) => void
}

export function SaveBar({ changed, button, isBusy, onDiscard, discard, save }: SaveBarProps) {
  useSaveKeys(save)
  return (
    <div class="save-bar">
      <span class="save-bar-words" role="status">
        {changed.length > 0 && <strong>{text.form.changes(changed.length)}</strong>}{' '}
        <span class="soft truncate">{changed.join(', ')}</span>
      </span>
      <button type="button" class="plain" disabled={isBusy} onClick={onDiscard}>
        {discard ?? text.action.discard}
      </button>
      <button type="submit" class="main" disabled={isBusy}>
        {button}
        <span class="key" aria-hidden="true">{`${text.navigation.keyControl} S`}</span>
      </button>
    </div>
  )
}

/**
 * Saves by keys: Ctrl+S and Ctrl+Shift+Enter save and stay, or begin another row; Ctrl+Enter saves and goes back.
 * While a dialog is open, the keys do not save the form below it.
 */
export function useSaveKeys(save: (stays: boolean) => void): void {
  const latest = useRef(save)
  latest.current = save
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isEnter = event.key === 'Enter'
      const stays = !isEnter || event.shiftKey
      if (!(event.ctrlKey || event.metaKey) || !(isEnter || event.key.toLowerCase() === 's')) return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      if (!event.repeat) latest.current(stays)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
