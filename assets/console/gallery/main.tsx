/**
 * The gallery `/console/components`, in development only: every component of the console in all its states, on one
 * page.
 */
import { render } from 'preact'
import { Toasts } from '../component/toast.tsx'
import { language } from '../text/text.ts'
import { applyTheme } from '../theme.ts'
import { forceStates } from './forced-states.ts'
import { Gallery } from './gallery.tsx'

applyTheme()
document.documentElement.lang = language
forceStates()
const root = document.getElementById('console')
if (root !== null)
  render(
    <>
      <Toasts />
      <Gallery />
    </>,
    root,
  )
