import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { api } from '../../api/api.ts'
import { readProblem } from '../../api/problem.ts'
import { useBalance, useRefreshCredits } from '../credits/use-balance.ts'
import type { NewBalance, PaymentResultState } from './PaymentResult.tsx'

/** Spec section 9. */
const checkEveryMs = 2_000
/** Open for so long, it was most likely left unpaid. */
const longMs = 30_000
const checkEveryMsWhenLong = 10_000
/** A payment is too dear to be given up for one lost answer. */
const checksBeforeGivingUp = 4

/** How a checkout ended (spec section 4, "Payment return"); `sessionId` is null where the address carries none. */
export function usePaymentResult(sessionId: string | null): PaymentResultState {
  const isLong = useIsLong()
  const { data, error } = useQuery(
    api.payments.sessionStatus.queryOptions({
      input: sessionId === null ? skipToken : { session_id: sessionId },
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state }) =>
        state.status === 'success' && state.data?.status === 'open'
          ? isLong
            ? checkEveryMsWhenLong
            : checkEveryMs
          : false,
      retry: (failureCount, error) => failureCount < checksBeforeGivingUp - 1 && !isRefusal(error),
      retryDelay: checkEveryMs,
    }),
  )
  const newBalance = useCompletion(sessionId, data?.status === 'complete')

  if (sessionId === null) return { state: 'error', message: 'No payment session found' }
  if (error !== null) {
    return {
      state: 'error',
      message: 'Failed to verify payment status',
      detail: isUnknown(error)
        ? 'There is no such checkout on your account. Nothing was charged for it.'
        : null,
    }
  }
  if (data === undefined || data.status === 'open')
    return { state: 'processing', detail: data?.detail ?? null, isLong }
  if (data.status !== 'complete')
    return { state: 'error', message: 'Payment was not completed', detail: data.detail }
  return { state: 'paid', newBalance, email: data.customer_email }
}

function useIsLong(): boolean {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), longMs)
    return () => clearTimeout(timer)
  }, [])
  return isLong
}

/** Asking again brings the same answer. */
function isRefusal(error: unknown): boolean {
  const { status } = readProblem(error)
  return status >= 400 && status < 500
}

/** An address that was cut or made up, or somebody else's. */
function isUnknown(error: unknown): boolean {
  const { status } = readProblem(error)
  return status === 400 || status === 404
}

/** Calls the completion step once the checkout is complete, ignores its failure, then asks for the balance again. */
function useCompletion(sessionId: string | null, isComplete: boolean): NewBalance {
  const refresh = useRefreshCredits()
  // Among the options, so that it runs even when the reader has left; it is over when the balance has answered.
  const { mutate, status } = useMutation(api.payments.completePayment.mutationOptions({ onSettled: refresh }))
  const { credits, isError } = useBalance()
  const complete = useEffectEvent((session: string) => mutate({ query: { session_id: session } }))
  useEffect(() => {
    if (sessionId !== null && isComplete) complete(sessionId)
  }, [sessionId, isComplete])
  if (status !== 'success' && status !== 'error') return { state: 'loading' }
  // What is left of an earlier answer is the old balance.
  return credits === null || isError ? { state: 'failed' } : { state: 'known', credits }
}
