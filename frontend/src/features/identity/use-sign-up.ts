import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/api.ts'

export function useSignUp() {
  return useMutation(api.identity.signUp.mutationOptions())
}
