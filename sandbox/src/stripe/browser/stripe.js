/* global window, document, URLSearchParams */
// Stripe.js as far as an embedded checkout needs it: window.Stripe(key).createEmbeddedCheckoutPage(...).
;(() => {
  if (window.Stripe) return
  const origin = new URL(document.currentScript.src).origin
  let isTaken = false

  class IntegrationError extends Error {
    name = 'IntegrationError'
  }

  function notHere(name) {
    return () => {
      throw new IntegrationError(
        `The sandbox's Stripe.js has no ${name}: it knows the embedded checkout alone.`,
      )
    }
  }

  async function createEmbeddedCheckoutPage({ clientSecret, fetchClientSecret, onComplete } = {}) {
    if (isTaken) throw new IntegrationError('You cannot have multiple Embedded Checkout objects.')
    isTaken = true
    try {
      const secret = fetchClientSecret ? await fetchClientSecret() : clientSecret
      if (typeof secret !== 'string' || !/^cs_\w+_secret_\w+$/.test(secret)) {
        throw new IntegrationError(
          'Invalid client secret: it must be that of a Checkout Session in embedded mode.',
        )
      }
      return checkoutFor(secret, onComplete)
    } catch (error) {
      isTaken = false
      throw error
    }
  }

  function checkoutFor(secret, onComplete) {
    let frame = null
    let isDestroyed = false

    function hear({ source, origin: from, data }) {
      if (!frame || from !== origin || source !== frame.contentWindow || data?.from !== 'sandbox-checkout')
        return
      if (data.type === 'height' && Number.isFinite(data.height)) frame.style.height = `${data.height}px`
      if (data.type === 'top') frame.scrollIntoView({ block: 'start' })
      if (data.type !== 'complete') return
      onComplete?.()
      // As Stripe has it: `always` leaves the page, the others do so only where nobody listens for the end.
      const leaves = data.redirect === 'always' || (data.redirect === 'if_required' && !onComplete)
      if (leaves && data.returnUrl) window.location.assign(data.returnUrl)
    }

    function unmount() {
      window.removeEventListener('message', hear)
      frame?.remove()
      frame = null
    }

    return {
      mount(location) {
        if (isDestroyed) throw new IntegrationError('This Embedded Checkout is destroyed.')
        const place = typeof location === 'string' ? document.querySelector(location) : location
        if (!place) throw new IntegrationError(`Invalid mount location: ${String(location)}`)
        if (frame) throw new IntegrationError('This Embedded Checkout is already mounted.')
        frame = document.createElement('iframe')
        const about = new URLSearchParams({ secret, parent: window.location.origin })
        frame.src = `${origin}/stripe/checkout/${secret.split('_secret_')[0]}#${about}`
        frame.title = 'Secure payment form (sandbox)'
        frame.name = 'embedded-checkout'
        frame.style.cssText = 'border:0;display:block;width:100%;height:640px'
        window.addEventListener('message', hear)
        place.append(frame)
      },
      unmount,
      destroy() {
        if (isDestroyed) return
        unmount()
        isDestroyed = true
        isTaken = false
      },
    }
  }

  window.Stripe = (publishableKey) => {
    if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pk_')) {
      throw new IntegrationError('Please call Stripe() with your publishable key. You used something else.')
    }
    if (!publishableKey.startsWith('pk_test_')) console.warn('The sandbox takes no live payments.')
    return {
      elements: notHere('elements'),
      createToken: notHere('createToken'),
      createPaymentMethod: notHere('createPaymentMethod'),
      confirmCardPayment: notHere('confirmCardPayment'),
      createEmbeddedCheckoutPage,
      registerAppInfo() {},
      _registerWrapper() {},
    }
  }
  window.Stripe.version = 'sandbox'
})()
