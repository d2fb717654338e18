/** The page `/graphql/ui`: the editor GraphiQL with a form to sign in. */
import { GraphiQL } from 'graphiql'
import { createElement, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { signInForm } from '../reference/sign-in.js'
import { exampleHeaders, exampleTabs } from './examples.js'
import { ask, refusalOf, useToken } from './gateway.js'

function Page() {
  const [hint, setHint] = useState('')
  // The function stays the same while the page is open, because GraphiQL loads the schema again for another one.
  const fetcher = useMemo(() => tellingOfSchema(setHint), [])
  const options = {
    fetcher,
    defaultTabs: exampleTabs,
    defaultHeaders: exampleHeaders,
    defaultEditorToolsVisibility: 'headers',
  }
  return createElement(
    GraphiQL,
    options,
    hint !== '' && createElement(GraphiQL.Footer, null, createElement('p', { role: 'status' }, hint)),
  )
}

/** @param {(hint: string) => void} tell */
function tellingOfSchema(tell) {
  /** @type {typeof ask} */
  return async (parameters, options) => {
    if (parameters.operationName !== 'IntrospectionQuery') return ask(parameters, options)
    try {
      const answer = await ask(parameters, options)
      const refusal = refusalOf(answer)
      tell(refusal === null ? '' : hintAbout(refusal))
      return answer
    } catch (error) {
      tell(hintAbout(String(error)))
      throw error
    }
  }
}

/** @param {string} refusal */
function hintAbout(refusal) {
  return (
    `The service does not show its schema: “${refusal}” So there is no documentation and no completion, but ` +
    'operations can be run. Either introspection is off (GRAPHQL_INTROSPECTION), or the headers lack a token; ' +
    '“Re-fetch GraphQL schema” asks again.'
  )
}

document.getElementById('sign-in')?.append(signInForm('../', useToken))
const place = document.getElementById('graphiql')
if (place !== null) createRoot(place).render(createElement(Page))
