/* global document, window */
/** As much of Stripe.js as @stripe/react-stripe-js asks for, and as strict: one embedded checkout at a time, no call on one that is destroyed. */
window.pretendStripe = { open: 0 }

window.Stripe = () => {
  const unused = () => {
    throw new Error('The product does not use this')
  }
  return {
    elements: unused,
    createToken: unused,
    createPaymentMethod: unused,
    confirmCardPayment: unused,
    async createEmbeddedCheckoutPage({ clientSecret }) {
      if (window.pretendStripe.open > 0)
        throw new Error('You cannot have multiple Embedded Checkout objects.')
      if (clientSecret === 'cs_unknown') throw new Error('No such checkout session')
      window.pretendStripe.open += 1
      await new Promise((resolve) => setTimeout(resolve, 400))
      let isDestroyed = false
      const place = document.createElement('div')
      const alive = () => {
        if (isDestroyed) throw new Error('This Embedded Checkout object is destroyed.')
      }
      return {
        mount(location) {
          alive()
          place.textContent = `Pretend checkout of ${clientSecret}`
          place.style.cssText = 'padding: 24px; background: #fff; color: #161a18; min-height: 420px'
          location.append(place)
        },
        unmount() {
          alive()
          place.remove()
        },
        destroy() {
          alive()
          isDestroyed = true
          place.remove()
          window.pretendStripe.open -= 1
        },
      }
    },
  }
}
