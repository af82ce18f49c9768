_Atomic int n;  //! c-atomic Atomic types
